// SPDX-License-Identifier: Apache-2.0
// The library as a module of Python: blur.blur([1.0, 2.0]) returns [1.0, 1.5].
#include <Python.h>

#include <vector>

#include "blur.hpp"

static PyObject* blur_list(PyObject*, PyObject* list) {
  if (!PyList_Check(list)) return PyErr_Format(PyExc_TypeError, "blur() takes a list of numbers");
  const Py_ssize_t count = PyList_Size(list);
  std::vector<float> in(count), out(count);
  for (Py_ssize_t i = 0; i < count; ++i) in[i] = static_cast<float>(PyFloat_AsDouble(PyList_GetItem(list, i)));
  if (PyErr_Occurred()) return nullptr;
  if (!blur(in.data(), out.data(), static_cast<int>(count))) return PyErr_Format(PyExc_RuntimeError, "CUDA failed");
  PyObject* result = PyList_New(count);
  for (Py_ssize_t i = 0; i < count; ++i) PyList_SetItem(result, i, PyFloat_FromDouble(out[i]));
  return result;
}

static PyMethodDef methods[] = {{"blur", blur_list, METH_O, "The means of neighbours."},
                                {nullptr, nullptr, 0, nullptr}};
static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "blur", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

PyMODINIT_FUNC PyInit_blur() {
  return PyModule_Create(&definition);
}
