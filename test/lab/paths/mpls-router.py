"""A router with MPLS: python3 mpls-router.py IFACE ADDRESS NETWORK [QUOTED]. It answers packets of TTL 1 for NETWORK (a prefix of an address as text)
in the kernel's place, which must drop them, with the labels that they had (RFC 4950). QUOTED 8: it quotes 8 octets, without labels, as old ones do."""
import socket, struct, sys

iface, address, network = sys.argv[1:4]
quoted = int(sys.argv[4]) if len(sys.argv) > 4 else 0


def checksum(data):
    data += b'\0' * (len(data) % 2)
    total = sum(struct.unpack('!%dH' % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def stack(*labels):
    words = b''.join(struct.pack('!I', label << 12 | tc << 9 | bottom << 8 | ttl) for label, tc, bottom, ttl in labels)
    body = struct.pack('!HBB', 4 + len(words), 1, 1) + words
    return struct.pack('!BBH', 0x20, 0, checksum(b'\x20\0\0\0' + body)) + body


wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
wire.bind((iface, 0))
out = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
out.bind((address, 0))
print('ready', flush=True)
while True:
    packet = wire.recv(2048)
    source, target = socket.inet_ntoa(packet[12:16]), socket.inet_ntoa(packet[16:20])
    if packet[8] != 1 or not target.startswith(network):
        continue
    if quoted:
        message = struct.pack('!BBHI', 11, 0, 0, 0) + packet[: 20 + quoted]
    else:
        # The length of the padded quotation in words, RFC 4884 section 4.1.
        message = struct.pack('!BBHBBH', 11, 0, 0, 0, 32, 0) + packet[:128].ljust(128, b'\0') + stack((16000, 3, 0, 1), (24017, 0, 1, 1))
    message = message[:2] + struct.pack('!H', checksum(message)) + message[4:]
    out.sendto(message, (source, 0))
