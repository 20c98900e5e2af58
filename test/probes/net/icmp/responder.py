"""Answers ICMP echo from user space, each address in its own manner: python3 responder.py 198.18.1.11=duplicate ...
The kernel's own answers must be off (icmp_echo_ignore_all)."""
import heapq, os, select, socket, sys, time

manners = dict(word.split('=') for word in sys.argv[1:])
listener = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
senders = {}
ERRORS = {'redirected': (5, 1), 'quenched': (4, 0), 'expired': (11, 0)}
for address in manners:
    senders[address] = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    senders[address].bind((address, 0))

def checksum(data):
    total = sum((data[i] << 8) + data[i + 1] for i in range(0, len(data), 2))
    total = (total >> 16) + (total & 0xffff)
    return ~(total + (total >> 16)) & 0xffff

def reply(request, cookie=b'', damage=0):
    message = bytearray(request)
    message[0], message[2:4] = 0, b'\0\0'
    message[8:8 + len(cookie)] = cookie
    message[2:4] = (checksum(message) ^ damage).to_bytes(2, 'big')
    return bytes(message)

def error(packet, type, code):
    message = bytearray([type, code, 0, 0]) + socket.inet_aton('198.18.0.1') + packet[:28 + 8]
    message[2:4] = checksum(message).to_bytes(2, 'big')
    return bytes(message)

queue = []
serial = 0
def later(delay, source, target, message):
    global serial
    serial += 1
    heapq.heappush(queue, (time.monotonic() + delay, serial, source, target, message))

print('ready', flush=True)
while True:
    wait = max(0, queue[0][0] - time.monotonic()) if queue else 1
    if select.select([listener], [], [], wait)[0]:
        packet, (target, _) = listener.recvfrom(2048)
        address, request = socket.inet_ntoa(packet[16:20]), packet[20:]
        manner = manners.get(address)
        if request[0] == 8 and manner:
            if manner == 'duplicate':
                later(0, address, target, reply(request))
                later(0.001, address, target, reply(request))
                later(0.002, address, target, reply(request))
            elif manner == 'forged':
                later(0, address, target, reply(request, cookie=os.urandom(8)))
            elif manner == 'damaged':
                later(0, address, target, reply(request, damage=1))
            elif manner == 'elsewhere':
                later(0, next(other for other in manners if other != address), target, reply(request))
            elif manner in ERRORS:
                later(0, address, target, error(packet, *ERRORS[manner]))
                later(0.02, address, target, reply(request))
            elif manner.startswith('after'):
                later(float(manner[5:]) / 1000, address, target, reply(request))
    while queue and queue[0][0] <= time.monotonic():
        _, _, source, target, message = heapq.heappop(queue)
        senders[source].sendto(message, (target, 0))
