/*
 * Delays, jitters and drops packets that iptables hands over with NFQUEUE, one queue per region.
 * A substitute for tc-netem on kernels without it; order within a queue is kept.
 *
 *   gcc -O2 -o nfqdelay nfqdelay.c -lnetfilter_queue -lnfnetlink
 *   nfqdelay CONF        CONF: lines "queue delay_ms jitter_ms loss_percent"; SIGHUP reads it again
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <linux/netfilter.h>
#include <linux/netlink.h>
#include <libnetfilter_queue/libnetfilter_queue.h>

enum { QUEUES = 256, QUEUE_LENGTH = 20000, RECEIVE_BYTES = 8 << 20, BURST = 64 };

struct queue {
	double delay_ms, jitter_ms, loss_percent;
	struct nfq_q_handle *handle;
	uint64_t last_due;
};

struct held {
	uint64_t due;
	uint32_t packet;
	uint16_t queue;
};

static struct queue queues[QUEUES];
static struct held *heap; /* binary min-heap by due time */
static size_t heap_size, heap_capacity;
static volatile sig_atomic_t reload = 1;

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void hold(struct held item)
{
	if (heap_size == heap_capacity) {
		heap_capacity = heap_capacity ? heap_capacity * 2 : 1024;
		heap = realloc(heap, heap_capacity * sizeof *heap);
		if (!heap)
			exit(1);
	}
	size_t i = heap_size++;
	for (; i && heap[(i - 1) / 2].due > item.due; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = item;
}

static struct held take(void)
{
	struct held first = heap[0], last = heap[--heap_size];
	size_t i = 0, child;
	while ((child = 2 * i + 1) < heap_size) {
		if (child + 1 < heap_size && heap[child + 1].due < heap[child].due)
			child++;
		if (heap[child].due >= last.due)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return first;
}

static int on_packet(struct nfq_q_handle *handle, struct nfgenmsg *message, struct nfq_data *data, void *cookie)
{
	(void)message;
	uint16_t number = (uint16_t)(uintptr_t)cookie;
	struct queue *queue = &queues[number];
	uint32_t packet = ntohl(nfq_get_msg_packet_hdr(data)->packet_id);

	if (drand48() * 100 < queue->loss_percent)
		return nfq_set_verdict(handle, packet, NF_DROP, 0, NULL);
	double delay_ms = queue->delay_ms + (drand48() * 2 - 1) * queue->jitter_ms;
	if (delay_ms <= 0)
		return nfq_set_verdict(handle, packet, NF_ACCEPT, 0, NULL);
	uint64_t due = now_ns() + (uint64_t)(delay_ms * 1e6);
	if (due < queue->last_due)
		due = queue->last_due;
	queue->last_due = due;
	hold((struct held){due, packet, number});
	return 0;
}

static void load(struct nfq_handle *nfq, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256];
	unsigned number;
	double delay, jitter, loss;

	if (!file)
		return;
	while (fgets(line, sizeof line, file)) {
		if (sscanf(line, "%u %lf %lf %lf", &number, &delay, &jitter, &loss) != 4 || number >= QUEUES)
			continue;
		struct queue *queue = &queues[number];
		queue->delay_ms = delay;
		queue->jitter_ms = jitter;
		queue->loss_percent = loss;
		if (queue->handle)
			continue;
		queue->handle = nfq_create_queue(nfq, (uint16_t)number, on_packet, (void *)(uintptr_t)number);
		if (!queue->handle) {
			perror("nfq_create_queue");
			exit(1);
		}
		nfq_set_mode(queue->handle, NFQNL_COPY_META, 0);
		nfq_set_queue_maxlen(queue->handle, QUEUE_LENGTH);
	}
	fclose(file);
	puts("loaded");
	fflush(stdout);
}

static void release_due(void)
{
	while (heap_size && heap[0].due <= now_ns()) {
		struct held item = take();
		nfq_set_verdict(queues[item.queue].handle, item.packet, NF_ACCEPT, 0, NULL);
	}
}

static void arm(int timer)
{
	struct itimerspec at = {{0, 0}, {0, 0}};
	if (heap_size) {
		at.it_value.tv_sec = (time_t)(heap[0].due / 1000000000u);
		at.it_value.tv_nsec = (long)(heap[0].due % 1000000000u);
	}
	timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void on_hangup(int signal_number)
{
	(void)signal_number;
	reload = 1;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: nfqdelay CONF\n");
		return 2;
	}
	signal(SIGHUP, on_hangup);
	srand48(getpid());
	/* A busy machine must not add to the delays; where this is not allowed they are only less exact. */
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
	struct nfq_handle *nfq = nfq_open();
	if (!nfq) {
		perror("nfq_open");
		return 1;
	}
	int fd = nfq_fd(nfq), on = 1, bytes = RECEIVE_BYTES;
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes);
	setsockopt(fd, SOL_NETLINK, NETLINK_NO_ENOBUFS, &on, sizeof on);
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	struct pollfd sources[] = {{fd, POLLIN, 0}, {timer, POLLIN, 0}};
	char buffer[65536];
	uint64_t expirations;

	for (;;) {
		if (reload) {
			reload = 0;
			load(nfq, argv[1]);
		}
		release_due();
		arm(timer);
		if (poll(sources, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			perror("poll");
			return 1;
		}
		if (sources[1].revents)
			(void)!read(timer, &expirations, sizeof expirations);
		for (int i = 0; sources[0].revents && i < BURST; i++) {
			ssize_t length = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
			if (length <= 0)
				break;
			nfq_handle_packet(nfq, buffer, (int)length);
		}
	}
}
