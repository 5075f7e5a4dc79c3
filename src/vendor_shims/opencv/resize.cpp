#include <cstdio>
#include <exception>

#include <opencv2/imgproc.hpp>

#include "vendor_shims/opencv/opencv.h"

extern "C" __attribute__((visibility("default"))) int uskor_opencv_resize(const struct uskor_opencv_job *job,
                                                                          char *reason, size_t size)
{
    try {
        if (cv::getNumThreads() != job->threads)
            cv::setNumThreads(job->threads);
        const cv::Mat source(job->height, job->width, CV_8UC4, const_cast<void *>(job->source));
        cv::Mat target(job->target_height, job->target_width, CV_8UC4, job->target);
        cv::resize(source, target, target.size(), 0, 0, job->exact ? cv::INTER_LINEAR_EXACT : cv::INTER_LINEAR);
        if (target.data == job->target)
            return 0;
        std::snprintf(reason, size, "OpenCV put its result elsewhere");
    } catch (const std::exception &error) {
        std::snprintf(reason, size, "%s", error.what());
    }
    return 1;
}
