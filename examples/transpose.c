/* C: a matrix transposed, then the same problem through a plan.
 *
 *     cc transpose.c $(pkg-config --cflags --libs uskor) && ./a.out */
#include <stdio.h>
#include <uskor.h>

static int report(const struct uskor *uskor)
{
    fprintf(stderr, "uskor: %s\n", uskor_message(uskor));
    return 1;
}

int main(void)
{
    const int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int b[3][2], c[3][2];
    struct uskor *uskor;
    struct uskor_plan *plan;
    if (uskor_open(&uskor, NULL) != USKOR_OK)
        return report(NULL);
    if (uskor_transpose(uskor, b, a, 2, 3, sizeof a[0][0]) != USKOR_OK)
        return report(uskor);
    if (uskor_plan_transpose(uskor, &plan, 2, 3, sizeof a[0][0]) != USKOR_OK || uskor_run(plan, c, a, NULL) != USKOR_OK)
        return report(uskor);
    for (int i = 0; i < 3; i++)
        printf("%d %d  %d %d\n", b[i][0], b[i][1], c[i][0], c[i][1]);
    uskor_plan_free(plan);
    uskor_close(uskor);
    return 0;
}
