// SPDX-License-Identifier: Apache-2.0
//
// The fonts of the library glut without windows, of which programs take addresses only. Its header declares them as
// variables that may change, so they are defined where it is not included.
extern "C" {
extern void* const glutStrokeRoman;
extern void* const glutStrokeMonoRoman;
extern void* const glutBitmap9By15;
extern void* const glutBitmap8By13;
extern void* const glutBitmapTimesRoman10;
extern void* const glutBitmapTimesRoman24;
extern void* const glutBitmapHelvetica10;
extern void* const glutBitmapHelvetica12;
extern void* const glutBitmapHelvetica18;
void* const glutStrokeRoman = nullptr;
void* const glutStrokeMonoRoman = nullptr;
void* const glutBitmap9By15 = nullptr;
void* const glutBitmap8By13 = nullptr;
void* const glutBitmapTimesRoman10 = nullptr;
void* const glutBitmapTimesRoman24 = nullptr;
void* const glutBitmapHelvetica10 = nullptr;
void* const glutBitmapHelvetica12 = nullptr;
void* const glutBitmapHelvetica18 = nullptr;
}
