import { fileURLToPath } from 'node:url';
import { certificateFile, KEY_FILE } from './pki.ts';
import { HOSTILE_HOST, regionalAddress, REGIONS, WEB_HOSTS, type WebHost } from './plan.ts';
import { type World, WORLD_DIR, type WorldProcess } from './world.ts';

const DIR = `${WORLD_DIR}/web`;
const ACCESS_LOG = `${DIR}/access.log`;

/** One request as the server saw it. */
export interface Access {
  client: string;
  host: string;
  method: string;
  path: string;
  status: number;
  protocol: string;
  /** Empty without TLS. */
  tls: string;
}

/** The lab's targets: nginx for the well-behaved hosts and the TLS failures, a server of our own for the others. */
export class Web {
  readonly #world: World;
  #hostile: WorldProcess | undefined;
  /** Lines of the log that are of former test files. */
  #forgotten = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async start(): Promise<void> {
    this.#world.write(`${DIR}/nginx.conf`, nginxConf());
    const hostile = [process.execPath, fileURLToPath(import.meta.resolve('./hostile-http.ts')), HOSTILE_HOST.v4];
    [this.#hostile] = await Promise.all([
      this.#world.spawn('hosts', hostile),
      this.#world.spawn('hosts', ['nginx', '-e', 'stderr', '-c', `${DIR}/nginx.conf`]),
    ]);
    await Promise.all([this.#hostile.line(/^ready$/), this.#world.untilListening('hosts', WEB_HOSTS.web.v4, 443)]);
  }

  /** Leaves what was requested so far out of `accesses`. */
  forget(): void {
    this.#forgotten = this.#lines().length;
  }

  #lines(): string[] {
    return this.#world.read(ACCESS_LOG).split('\n').slice(0, -1);
  }

  /** Requests to the well-behaved hosts, oldest first; `host` narrows them down. */
  accesses(host?: string): Access[] {
    return this.#lines()
      .slice(this.#forgotten)
      .flatMap((line) => {
        const [client, name, status, tls, request] = line.split('\t');
        const [method, path, protocol] = (request ?? '').split(' ');
        if (protocol === undefined || (host !== undefined && name !== host)) return [];
        return [
          { client: client!, host: name!, method: method!, path: path!, status: Number(status), protocol, tls: tls === '-' ? '' : tls! },
        ];
      });
  }

  /** What the hostile server was asked, as `client-address path`. */
  hostileAccesses(): string[] {
    return this.#hostile!.lines.filter((line) => line !== 'ready');
  }
}

const COOKIES = `location /cookies { add_header Set-Cookie "a=1; Path=/" always; add_header Set-Cookie "b=2; Secure" always; return 200 "two cookies\\n"; }`;

const LOGO = `location = /logo.svg { default_type image/svg+xml; return 200 '<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 64 64"><title>Lab</title><circle cx="32" cy="32" r="30" fill="#0b3d4f"/></svg>'; }`;

const redirect = (path: string, to: string) => `location = /${path} { return 302 ${to}; }`;

/** What a host answers beyond a page that names itself and the client. */
const EXTRA: Record<string, readonly string[]> = {
  [WEB_HOSTS.web.name]: [COOKIES, LOGO, 'location /missing { return 404 "not here\\n"; }'],
  [WEB_HOSTS.redirects.name]: [
    redirect('web', `https://${WEB_HOSTS.web.name}/`),
    redirect('relative', '/elsewhere?x=1'),
    redirect('loop', '/loop'),
    redirect('loopback', 'http://127.0.0.1/'),
    redirect('metadata', 'http://169.254.169.254/latest/meta-data/'),
    redirect('file', 'file:///etc/passwd'),
  ],
  [WEB_HOSTS.blockPage.name]: [
    page(403, 'Access denied', '<h1>Sorry, you have been blocked</h1><p>You are unable to access this site.</p>'),
  ],
  [WEB_HOSTS.captcha.name]: [
    page(200, 'Just a moment...', '<h1>Verify you are human</h1><div class="g-recaptcha" data-sitekey="lab"></div>'),
  ],
};

function page(status: number, title: string, body: string): string {
  const html = `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;
  return `location / { default_type text/html; return ${status} '${html}'; }`;
}

function nginxConf(): string {
  const regional: WebHost[] = REGIONS.map((region) => ({ name: 'www.lab-regions.com', v4: regionalAddress(region), certificate: 'good' }));
  return [
    `daemon off; master_process off; error_log stderr; pid ${DIR}/nginx.pid;`,
    'events { worker_connections 1024; }',
    'http {',
    `client_body_temp_path ${DIR}/tmp; proxy_temp_path ${DIR}/tmp; fastcgi_temp_path ${DIR}/tmp; uwsgi_temp_path ${DIR}/tmp; scgi_temp_path ${DIR}/tmp;`,
    "log_format lab '$remote_addr\\t$host\\t$status\\t$ssl_protocol\\t$request';",
    `access_log ${ACCESS_LOG} lab;`,
    `ssl_certificate_key ${KEY_FILE};`,
    'server_tokens off; default_type text/plain;',
    ...([...Object.values(WEB_HOSTS), ...regional] as WebHost[]).map(server),
    '}',
  ].join('\n');
}

function server(host: WebHost): string {
  const addresses = [host.v4, host.v6 === undefined ? undefined : `[${host.v6}]`].filter((address) => address !== undefined);
  const extra = EXTRA[host.name] ?? [];
  return [
    `server { server_name ${host.name};`,
    ...addresses.map((address) => `listen ${address}:80;`),
    ...(host.certificate === undefined
      ? []
      : [...addresses.map((address) => `listen ${address}:443 ssl http2;`), `ssl_certificate ${certificateFile(host.certificate)};`]),
    host.certificate === 'tls1.0' ? 'ssl_protocols TLSv1; ssl_ciphers ALL:@SECLEVEL=0;' : 'ssl_protocols TLSv1.2 TLSv1.3;',
    ...extra,
    ...(extra.some((location) => location.startsWith('location / '))
      ? []
      : [`location / { return 200 "this is $host at $server_addr, you are $remote_addr\\n"; }`]),
    '}',
  ].join('\n  ');
}
