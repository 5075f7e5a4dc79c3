/* uskor grade: submissions, their trials, and what is written of them. */
#pragma once

#include <stdint.h>

#include "cli/commands/exercise_folder.h"
#include "cli/commands/grade_alike.h"

#define GRADE_TEXT_MAX 320
#define GRADE_ASKED_MOST 64
#define GRADE_ALIKE 0.7     /* the similarity from which a lecturer should look at both files */
#define GRADE_NAME_MAX 1088 /* NAME_MAX bytes, all of them escaped, and a number */

enum grade_verdict {
    GRADE_RIGHT,
    GRADE_WRONG,      /* refused: a wrong answer, a crash, a hang */
    GRADE_ERROR,      /* nothing that could be judged: no file, several, unreadable, does not compile */
    GRADE_NOT_JUDGED, /* nothing is known against it: the machine was too busy, or the judge could not work */
};

/* One student's submission. Texts from outside are made fit to be shown (base/visible.h). */
struct submission {
    char path[EXERCISE_PATH_MAX];                       /* of the one file; "" where there is none */
    char student[GRADE_NAME_MAX], file[GRADE_NAME_MAX]; /* to be shown; no two have the same student */
    char hash[65];                                      /* SHA-256 of the file */
    char tokens[65]; /* … of its preprocessed tokens; "" where they are not known */
    enum grade_verdict verdict;
    unsigned points;             /* 0 and shown as none where it was not judged */
    struct exercise_looks looks; /* at its time, where it is right and speed counts */
    double times_model;          /* its time, in times of the model solution's, median of the looks; 0: not timed */
    double share;                /* of the ceiling, likewise; 0: not known */
    char reason[GRADE_TEXT_MAX];
    char device[128], driver[128]; /* that judged it: names, as its vendor calls them */
    char version[64];
    char step[64];  /* the rung of the exercise that a right file is as fast as; "" where speed does not count */
    bool is_judged; /* there is a grade, or a reason why there is none */
    int64_t late;   /* seconds from the due moment to the file's own; 0: in time, or nothing was due */
    struct prints prints;
    size_t alike;      /* the index of the other submission that is most like it */
    double similarity; /* … and how much (prints_alike); 0: no other is */
    size_t same_as;    /* the index of an earlier submission with the same tokens; its own where there is none */
};

struct grade_job {
    const struct exercise *exercise;
    const char *device;                 /* "cuda:0"; NULL: the first that the exercise can run on */
    const char *limit;                  /* of try, "10s" */
    const char *problem;                /* NULL: the exercise's */
    char device_name[128], version[64]; /* of the device and the program, as a submission has them */
    bool speed_counts;
    bool waits;       /* times that other programs disturbed are void: on the CPU */
    int64_t patience; /* ns that may still be spent on waiting for them, for all files */
    bool is_flat;     /* the exercise's first rung was as fast as its last: speed says nothing there */
    unsigned out_of;  /* points that can be had */
    struct submission *submissions;
    size_t count;
    int64_t due;                         /* seconds since 1970; 0: never */
    const char *asked[GRADE_ASKED_MOST]; /* students to be judged again, alone */
    size_t asked_count;                  /* 0: all are judged */
    char others[256];                    /* the names of the other files in the folder: "readme.txt, …" */
};

/* All submissions of a folder, by name: each file of it, and each folder's one file. Those without one have their
 * reason already. STATUS_INVALID when the folder cannot be read or is empty. The caller frees job->submissions. */
enum status grade_find(struct grade_job *job, const char *folder, struct error *error);

/* Whether this one is to be judged: all are, or those that were asked for. */
bool grade_is_wanted(const struct grade_job *job, const struct submission *submission);

/* Finds each submission's most similar one, what both were given (the exercise's skeleton; NULL: none) left out. */
void grade_find_alike(struct grade_job *job, const char *skeleton);

/* Reads the file's hash, and that of its tokens. One that cannot be read gets its reason, and is judged by that. */
void grade_read_hash(struct submission *submission);

/* Names the first submission before it that has the same tokens, whatever its grade: the file was copied, and its
 * comments, spaces or macros changed. */
void grade_name_twin(const struct grade_job *job, struct submission *submission);

/* Judges one in a process of its own, which may take its time but ends. Sets what is known afterwards. STATUS_OK
 * whatever becomes of the submission; STATUS_INTERRUPTED after Ctrl-C; STATUS_SYSTEM when nothing can be started. */
enum status grade_judge(struct grade_job *job, struct submission *submission, struct error *error);

/* The verdict in the reader's language. */
const char *grade_say_verdict(const struct submission *one);

/* "26 h late; 93 % like anna"; empty where there is nothing to remark. Returns `text`. */
const char *grade_remarks(const struct grade_job *job, const struct submission *one, char *text, size_t size);

/* "right", "wrong", "error", "not_judged": for programs. */
const char *grade_verdict_name(enum grade_verdict verdict);

/* One row for each that is judged, after a row of names. Texts that a spreadsheet would take for a formula are quoted
 * with '. */
void grade_write_csv(FILE *stream, const struct grade_job *job);

/* A page with the ranking: best first, equal points by name. Nothing of it is loaded from elsewhere. */
void grade_write_html(FILE *stream, const struct grade_job *job);

/* A grading worksheet for Moodle: participants by number where the folders are those of Moodle's archive, else by user
 * name. */
void grade_write_moodle(FILE *stream, const struct grade_job *job);

/* FOLDER/STUDENT.json for each that is judged: a results.json of a Gradescope autograder. The folder has to be there.
 */
enum status grade_write_gradescope(const struct grade_job *job, const char *folder, bool force, struct error *error);

/* For people: a line for each. */
void grade_write_text(FILE *stream, const struct grade_job *job);

/* uskor grade --continue: the grades that an earlier grading wrote. */

/* Takes the grades of submissions that the CSV at `path` has a row of, right or wrong: with the same content, for the
 * same exercise, problem, device and version of the program. They are marked as judged, and counted. Without such a
 * file nothing happens. STATUS_INVALID: it is not a file of grades. */
enum status grade_continue(struct grade_job *job, const char *path, size_t *taken, struct error *error);
