// tells another machine what it has seen
// refused as SIGSYS
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    int other = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    sendto(other, in, 4, 0, (struct sockaddr *)&where, sizeof where);
    close(other);
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
