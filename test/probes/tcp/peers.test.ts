import { execFile, type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { createAddressPolicy } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, freePorts } from '../../free-ports.ts';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { answer } from '../../operations/answer.ts';
import { SHUT } from '../../operations/shut.ts';
import { makePki } from '../http/certificates.ts';
import { rawServer } from '../http/raw-server.ts';
import { expectSuites, PEER_VERSIONS, type PeerVersion, suitesByOpenssl } from '../tls/by-others.ts';
import { scanned } from '../tls/scanned.ts';
import { isBrief } from '../../runs.ts';
import { measured, patterns, type TcpJob } from './running.ts';

const sslInfo = operations.find(({ name }) => name === 'ssl-info') as CentralOperation<any, any, any, any>;
const pki = makePki({ good: { names: 'DNS:a.test,IP:127.0.0.1' } });
const { folder } = pki;
const cert = join(folder, 'good.pem');
const key = join(folder, 'good.key');
const [POSTGRES = ''] = globSync('/usr/lib/postgresql/*/bin');
const children: ChildProcess[] = [];
/** `scripts/setup.sh test` unpacks servers that are not installed. They run as if they were. */
const UNPACKED = resolve('node_modules/.cache/servers/usr');
const AS_INSTALLED = existsSync(UNPACKED)
  ? ['unshare', '-m', 'sh', '-c', `mount -t overlay -o lowerdir=${UNPACKED}:/usr overlay /usr && exec "$@"`, 'sh']
  : ['env'];
const commandOf = (...argv: string[]): [command: string, args: string[]] => [AS_INSTALLED[0]!, [...AS_INSTALLED.slice(1), ...argv]];
const isThere = (program: string): boolean => spawnSync(...commandOf('test', '-x', program)).status === 0;
const idOf = (user: string): number => Number(execFileSync('id', ['-u', user]).toString());

/** Servers of others, by the protocol in which they are asked for TLS: the program, and how it is started on a port. */
interface Peer {
  program: string;
  start(port: number): [command: string, ...args: string[]];
}
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const dovecot = (protocol: 'imap' | 'pop3'): Peer => ({
  program: '/usr/sbin/dovecot',
  start(port) {
    mkdirSync(join(folder, protocol));
    return [
      '/usr/sbin/dovecot',
      '-F',
      '-c',
      write(
        `${protocol}.conf`,
        `base_dir = ${folder}/${protocol}
default_internal_user = daemon
default_internal_group = daemon
default_login_user = nobody
log_path = /dev/stderr
protocols = ${protocol}
listen = 127.0.0.1
ssl = yes
ssl_cert = <${cert}
ssl_key = <${key}
passdb {
  driver = static
  args = password=x
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=/nonexistent
}
service ${protocol}-login {
  chroot =
  inet_listener ${protocol} {
    port = ${port}
  }
  inet_listener ${protocol}s {
    port = 0
  }
}
`,
      ),
    ];
  },
});
const PEERS: Record<string, Peer> = {
  ftp: {
    program: '/usr/sbin/vsftpd',
    start: (port) => [
      '/usr/sbin/vsftpd',
      write(
        'vsftpd.conf',
        [
          'listen=YES',
          'background=NO',
          `listen_port=${port}`,
          'listen_address=127.0.0.1',
          'ssl_enable=YES',
          `rsa_cert_file=${cert}`,
          `rsa_private_key_file=${key}`,
          'ssl_ciphers=HIGH',
          'seccomp_sandbox=NO',
          'isolate=NO',
          'isolate_network=NO',
          `secure_chroot_dir=${folder}`,
          'anonymous_enable=NO',
          'local_enable=YES',
        ].join('\n') + '\n',
      ),
    ],
  },
  ldap: {
    program: '/usr/sbin/slapd',
    start: (port) => [
      '/usr/sbin/slapd',
      '-d',
      '0',
      '-h',
      `ldap://127.0.0.1:${port}`,
      '-f',
      write(
        'slapd.conf',
        `TLSCertificateFile ${cert}\nTLSCertificateKeyFile ${key}\nTLSCACertificateFile ${join(folder, 'ca-root.pem')}\n`,
      ),
    ],
  },
  imap: dovecot('imap'),
  pop3: dovecot('pop3'),
  smtp: {
    program: '/usr/lib/postfix/sbin/master',
    start(port) {
      const [at, queue, data] = ['postfix', 'queue', 'data'].map((name) => join(folder, name)) as [string, string, string];
      for (const each of [at, queue, data]) mkdirSync(each);
      for (const each of ['pid', 'private', 'public']) mkdirSync(join(queue, each));
      for (const each of ['private', 'public']) chownSync(join(queue, each), idOf('daemon'), 0);
      chownSync(data, idOf('daemon'), 0);
      writeFileSync(
        join(at, 'main.cf'),
        `compatibility_level = 3.6\nqueue_directory = ${queue}\ndata_directory = ${data}\ncommand_directory = /usr/sbin\ndaemon_directory = /usr/lib/postfix/sbin\nmail_owner = daemon\nsetgid_group = games\nmyhostname = a.test\ninet_interfaces = 127.0.0.1\nmynetworks =\nalias_maps =\nlocal_recipient_maps =\nmaillog_file_prefixes = ${folder}\nmaillog_file = ${folder}/mail.log\nsmtpd_tls_security_level = may\nsmtpd_tls_cert_file = ${cert}\nsmtpd_tls_key_file = ${key}\n`,
      );
      writeFileSync(
        join(at, 'master.cf'),
        `127.0.0.1:${port} inet n - n - - smtpd\npostlog unix-dgram n - n - 1 postlogd\nanvil unix - - n - 1 anvil\ntlsmgr unix - - n 1000? 1 tlsmgr\nproxymap unix - - n - - proxymap\nrewrite unix - - n - - trivial-rewrite\ncleanup unix n - n - 0 cleanup\n`,
      );
      return ['/usr/lib/postfix/sbin/master', '-c', at, '-d'];
    },
  },
  postgres: {
    program: join(POSTGRES, 'postgres'),
    start(port) {
      const at = join(folder, 'pg');
      const uid = idOf('postgres');
      mkdirSync(at);
      chownSync(at, uid, uid);
      const as = ['--reuid=postgres', '--regid=postgres', '--clear-groups'];
      execFileSync('setpriv', [...as, join(POSTGRES, 'initdb'), '-D', join(at, 'data'), '-A', 'trust', '--no-sync'], {
        stdio: 'ignore',
      });
      for (const name of ['good.pem', 'good.key']) {
        writeFileSync(join(at, name), readFileSync(join(folder, name)), { mode: 0o600 });
        chownSync(join(at, name), uid, uid);
      }
      return [
        'setpriv',
        ...as,
        join(POSTGRES, 'postgres'),
        '-D',
        join(at, 'data'),
        '-p',
        String(port),
        '-c',
        'ssl=on',
        '-c',
        `ssl_cert_file=${at}/good.pem`,
        '-c',
        `ssl_key_file=${at}/good.key`,
        '-c',
        `unix_socket_directories=${at}`,
        '-c',
        'listen_addresses=127.0.0.1',
      ];
    },
  },
};

beforeAll(() => chmodSync(folder, 0o755));
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }
  await patterns.close();
  pki[Symbol.dispose]();
});

async function started(peer: Peer, port: number): Promise<void> {
  const [command, ...args] = peer.start(port);
  const child = spawn(...commandOf(command, ...args), { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  children.push(child);
  for (let tries = 0; ; tries++) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true))).on('error', () => resolve(false));
    });
    if (isUp) return;
    if (child.exitCode !== null || tries === 200) throw new Error(`${command} does not start: ${said}`);
    await sleep(50);
  }
}

/** A server of each library for TLS, GnuTLS and OpenSSL. `npm run test:slow` has the suites of all. */
const WITH_SUITES = isBrief ? ['ldap', 'postgres'] : Object.keys(PEERS);

/** tls-check finds the versions and suites that openssl gets. */
async function expectSameSuites(port: number, starttls: NonNullable<TcpJob['starttls']>): Promise<void> {
  const scan = await scanned(port, { starttls });
  const theirs: Partial<Record<PeerVersion, string[]>> = {};
  for (const version of PEER_VERSIONS) theirs[version] = await suitesByOpenssl(port, version, ['-starttls', starttls]);
  expectSuites(scan, theirs);
}

/** ssl-info asks in the protocol of the server, and accepts its certificate. */
async function expectSslInfo(port: number, starttls: NonNullable<TcpJob['starttls']>): Promise<void> {
  const context = {
    ...SHUT,
    resolver: fakeResolver({ 'a.test': { A: ['127.0.0.1'] } }),
    dialler: createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) }),
    clock: systemClock,
    ca: [pki.root],
    today: () => new Date(),
  };
  const fingerprint_sha256 = new X509Certificate(readFileSync(cert)).fingerprint256.replaceAll(':', '').toLowerCase();
  expect(await answer(sslInfo, { host: 'a.test', port, starttls }, context)).toMatchObject({
    starttls,
    error: '',
    valid_ssl: true,
    hostname_matches: true,
    chain_complete: true,
    ssl_details: { fingerprint_sha256 },
  });
}

describe.skipIf(process.getuid?.() !== 0)('servers of others', () => {
  for (const [protocol, peer] of Object.entries(PEERS))
    it.skipIf(!isThere(peer.program))(`STARTTLS of ${protocol} is as openssl has it`, async () => {
      const port = await freePort();
      await started(peer, port);
      const starttls = protocol as NonNullable<TcpJob['starttls']>;
      const ours = await measured(port, { host: 'a.test', starttls }, { hosts: { 'a.test': ['127.0.0.1'] }, ca: [pki.root] });
      expect(ours.error).toBeUndefined();
      const args = [
        's_client',
        '-connect',
        `127.0.0.1:${port}`,
        '-starttls',
        protocol,
        '-CAfile',
        join(folder, 'ca-root.pem'),
        '-servername',
        'a.test',
        '-verify_hostname',
        'a.test',
      ];
      const asked = promisify(execFile)('openssl', args);
      asked.child.stdin!.end();
      const theirs = (await asked).stdout;
      expect(theirs).toContain('Verify return code: 0 (ok)');
      expect(ours).toMatchObject({ state: 'open', certificate: { valid: true, error: '' } });
      expect(theirs).toContain(`${ours.tls!.version}, Cipher is ${ours.tls!.cipher_suite}`);
      if (WITH_SUITES.includes(protocol)) await expectSameSuites(port, starttls);
      await expectSslInfo(port, starttls);
    });
});

describe.skipIf(!existsSync('/usr/bin/nmap'))('nmap', () => {
  it('says the same of ports that are open and closed', async () => {
    await using server = await rawServer(() => {});
    const [closed = 0, other = 0] = await freePorts(2);
    const { stdout } = await promisify(execFile)('nmap', [
      '-sT',
      '-Pn',
      '-n',
      '-oG',
      '-',
      '-p',
      [server.port, closed, other].join(),
      '127.0.0.1',
    ]);
    const theirs = Object.fromEntries([...stdout.matchAll(/(\d+)\/(open|closed|filtered)\/tcp/g)].map(([, port, state]) => [port, state]));
    const states = { open: 'open', refused: 'closed', filtered: 'filtered' } as Record<string, string>;
    for (const port of [server.port, closed, other]) expect(states[(await measured(port)).state]).toBe(theirs[port]);
  });
});
