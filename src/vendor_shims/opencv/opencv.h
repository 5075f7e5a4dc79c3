/* OpenCV's resize behind a C interface; built into libuskor_opencv.so where OpenCV's headers are. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels of 4 bytes, rows without gaps. */
struct uskor_opencv_job {
    const void *source;
    void *target;
    int width, height, target_width, target_height;
    int exact;   /* 0: INTER_LINEAR; 1: INTER_LINEAR_EXACT */
    int threads; /* at most */
};

/* 0, or else why not, one line, is written. */
int uskor_opencv_resize(const struct uskor_opencv_job *job, char *reason, size_t size);

#ifdef __cplusplus
}
#endif
