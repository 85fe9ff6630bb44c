// SPDX-License-Identifier: Apache-2.0
//
// Operands of instructions on matrices in inline PTX, for programs that name them by the numbers of their registers.
#pragma once

// Lists of registers, and the operands of an instruction with so many registers of D, A and B.
#define R1(c, x) #c(x[0])
#define R2(c, x) R1(c, x), #c(x[1])
#define R4(c, x) R2(c, x), #c(x[2]), #c(x[3])
#define R8(c, x) R4(c, x), #c(x[4]), #c(x[5]), #c(x[6]), #c(x[7])
#define TEXT_2_1_1 "{%0, %1}, {%2}, {%3}, {%0, %1}"
#define TEXT_2_2_1 "{%0, %1}, {%2, %3}, {%4}, {%0, %1}"
#define TEXT_4_2_1 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3}"
#define TEXT_2_2_2 "{%0, %1}, {%2, %3}, {%4, %5}, {%0, %1}"
#define TEXT_4_2_2 "{%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}"
#define TEXT_2_4_2 "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1}"
#define TEXT_4_4_2 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}"
#define TEXT_2_4_4 "{%0, %1}, {%2, %3, %4, %5}, {%6, %7, %8, %9}, {%0, %1}"
#define TEXT_4_4_4 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}"
#define TEXT_4_8_4 \
    "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3}"
#define TEXT_8_2_2 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%0, %1, %2, %3, %4, %5, %6, %7}"
