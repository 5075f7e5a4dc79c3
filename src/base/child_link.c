/* Messages between a child and its parent. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/child_link.h"

#define MESSAGE_MOST ((uint64_t)1 << 30)
#define READ_BYTES 65536

struct header {
    uint64_t token, bytes, checksum;
    uint32_t type, reserved;
};

static uint64_t checksum(const unsigned char *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static bool send_all(int descriptor, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        ssize_t sent = send(descriptor, at, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

bool child_send(struct child_link *link, uint32_t type, const void *data, size_t bytes)
{
    struct header header = {.token = link->token, .bytes = bytes, .type = type, .checksum = checksum(data, bytes)};
    return link->descriptor >= 0 && send_all(link->descriptor, &header, sizeof header) &&
           send_all(link->descriptor, data, bytes);
}

/* The longest message that is taken. */
static uint64_t longest(const struct child_link *link)
{
    uint64_t most = link->rules ? 0 : MESSAGE_MOST;
    for (size_t i = 0; link->rules && i < link->rule_count; i++)
        most = link->rules[i].most > most ? link->rules[i].most : most;
    return most;
}

static const struct child_rule *rule_of(const struct child_link *link, uint32_t type)
{
    for (size_t i = 0; i < link->rule_count; i++)
        if (link->rules[i].type == type)
            return &link->rules[i];
    return NULL;
}

static bool is_taken(const struct child_link *link, const struct header *header)
{
    const struct child_rule *rule = link->rules ? rule_of(link, header->type) : NULL;
    if (header->type == CHILD_IS)
        return header->token == link->token && header->bytes == sizeof link->process && !link->process;
    if (header->type == CHILD_LACKS)
        return header->token == link->token && header->bytes == 0;
    return header->token == link->token && header->bytes <= MESSAGE_MOST &&
           (!link->rules || (rule && header->bytes >= rule->least && header->bytes <= rule->most));
}

static bool is_well(const struct child_link *link, const struct header *header, const void *data)
{
    const struct child_rule *rule = link->rules ? rule_of(link, header->type) : NULL;
    return checksum(data, header->bytes) == header->checksum &&
           (!rule || !rule->is_well || rule->is_well(data, header->bytes));
}

static enum link_state lack_memory(struct child_link *link)
{
    link->lacks_memory = true;
    return LINK_BROKEN;
}

enum link_state link_read(struct child_link *link)
{
    /* One message at least is whole then: it is to be taken first. */
    if (link->incoming_bytes - link->taken >= sizeof(struct header) + longest(link) + READ_BYTES)
        return LINK_EMPTY;
    if (link->taken) {
        memmove(link->incoming, link->incoming + link->taken, link->incoming_bytes - link->taken);
        link->incoming_bytes -= link->taken;
        link->taken = 0;
    }
    if (link->incoming_capacity - link->incoming_bytes < READ_BYTES) {
        size_t wanted = 2 * link->incoming_capacity + READ_BYTES;
        unsigned char *moved = realloc(link->incoming, wanted);
        if (!moved)
            return lack_memory(link);
        link->incoming = moved;
        link->incoming_capacity = wanted;
    }
    ssize_t count = recv(link->descriptor, link->incoming + link->incoming_bytes, READ_BYTES, MSG_DONTWAIT);
    if (count > 0) {
        link->incoming_bytes += (size_t)count;
        return LINK_READY;
    }
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return LINK_EMPTY;
    return LINK_CLOSED;
}

enum link_state link_take(struct child_link *link, struct child_message *message)
{
    struct header header;
    *message = (struct child_message){0};
    const size_t there = link->incoming_bytes - link->taken;
    if (there < sizeof header)
        return LINK_EMPTY;
    memcpy(&header, link->incoming + link->taken, sizeof header);
    if (!is_taken(link, &header))
        return LINK_BROKEN;
    if (there - sizeof header < header.bytes)
        return LINK_EMPTY;
    const unsigned char *data = link->incoming + link->taken + sizeof header;
    size_t whole = sizeof header + header.bytes;
    if (!is_well(link, &header, data))
        return LINK_BROKEN;
    if (header.type == CHILD_LACKS)
        return lack_memory(link);
    message->type = header.type;
    message->bytes = header.bytes;
    message->data = header.bytes ? malloc(header.bytes + 1) : NULL;
    if (header.bytes && !message->data)
        return lack_memory(link);
    if (header.bytes) {
        memcpy(message->data, data, header.bytes);
        ((char *)message->data)[header.bytes] = 0;
    }
    link->taken += whole;
    if (message->type != CHILD_IS || !message->data)
        return LINK_READY;
    memcpy(&link->process, message->data, sizeof link->process);
    free(message->data);
    return link_take(link, message);
}

void child_lacks_memory(struct child_link *parent)
{
    child_send(parent, CHILD_LACKS, NULL, 0);
}

bool child_receive(struct child_link *parent, struct child_message *message)
{
    enum link_state state;
    while ((state = link_take(parent, message)) == LINK_EMPTY) {
        struct pollfd wanted = {.fd = parent->descriptor, .events = POLLIN};
        if (poll(&wanted, 1, -1) < 0 && errno != EINTR)
            break;
        state = link_read(parent);
        if (state == LINK_CLOSED || state == LINK_BROKEN)
            break;
    }
    if (parent->lacks_memory)
        child_lacks_memory(parent);
    return state == LINK_READY;
}
