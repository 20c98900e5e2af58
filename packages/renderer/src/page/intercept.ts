import type { PageLoad } from '@vedette/contract';
import type { CDPSession, Protocol } from 'puppeteer-core';

type Paused = Protocol.Fetch.RequestPausedEvent;

/** Says of a request that it is not to be sent. */
export type Block = (request: { url: string; type: Protocol.Network.ResourceType; frameUrl: string }) => boolean;

interface InterceptOptions {
  /** The job's credentials for its own origin; undefined in frames of other origins, which may not use them. */
  secrets?: { load: PageLoad; mainFrameId: string };
  block: readonly Block[];
  /** Counts a request, and says whether the job may send it. */
  admits(url: string): boolean;
  /** Where the main frame is now. */
  mainUrl(): string;
}

const ALL = [{ urlPattern: 'http://*' }, { urlPattern: 'https://*' }];

/**
 * Stands between the page and its way out: requests that the job does not want, or that are more than it may send, do not leave, and those for the job's own origin take its
 * secrets with them, as long as it is that origin's document that asks. A header that is given here ends with the hop: Chromium does not carry it
 * through a redirect.
 */
export async function intercept(session: CDPSession, { secrets, block, admits, mainUrl }: InterceptOptions): Promise<void> {
  const fields = secrets === undefined ? [] : secretFields(secrets.load);
  const own = secrets?.load.url === undefined ? undefined : new URL(secrets.load.url).origin;
  const origins = new Map<string, string>();
  session.on('Page.frameNavigated', ({ frame }) => origins.set(frame.id, frame.securityOrigin));
  const belongs = ({ request, resourceType, frameId }: Paused): boolean => {
    if (own === undefined || originOf(request.url) !== own) return false;
    if (resourceType === 'Document') return frameId === secrets?.mainFrameId || originOf(mainUrl()) === own;
    return origins.get(frameId) === own;
  };
  session.on('Fetch.requestPaused', (paused) => {
    const { requestId, request, resourceType, frameId } = paused;
    const isMain = resourceType === 'Document' && frameId === secrets?.mainFrameId;
    const isWanted = (): boolean => !block.some((blocks) => blocks({ url: request.url, type: resourceType, frameUrl: mainUrl() }));
    // The main frame's own request is the page: it is neither refused nor counted.
    const send =
      !isMain && !(isWanted() && admits(request.url))
        ? session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
        : session.send('Fetch.continueRequest', {
            requestId,
            ...(fields.length > 0 && belongs(paused) && { headers: withFields(request.headers, fields) }),
          });
    // The page may have left meanwhile, and its request with it.
    send.catch(() => undefined);
  });
  // No person can fill in a dialog: the job's credentials were sent already.
  session.on('Fetch.authRequired', ({ requestId }) => {
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: { response: 'CancelAuth' } }).catch(() => undefined);
  });
  await session.send('Fetch.enable', {
    handleAuthRequests: true,
    patterns: ALL,
  });
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'null');

/** The job's credentials, for its own origin alone. */
function secretFields({ basic_auth, authorization_bearer, custom_header }: PageLoad): Protocol.Fetch.HeaderEntry[] {
  const fields: Protocol.Fetch.HeaderEntry[] = [];
  if (basic_auth !== undefined) {
    const credentials = Buffer.from(`${basic_auth.username}:${basic_auth.password}`, 'utf8').toString('base64');
    fields.push({ name: 'Authorization', value: `Basic ${credentials}` });
  }
  if (authorization_bearer !== undefined) fields.push({ name: 'Authorization', value: `Bearer ${authorization_bearer}` });
  if (custom_header !== undefined) fields.push(custom_header);
  return fields;
}

function withFields(headers: Protocol.Network.Headers, fields: readonly Protocol.Fetch.HeaderEntry[]): Protocol.Fetch.HeaderEntry[] {
  const named = new Set(fields.map(({ name }) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !named.has(name.toLowerCase()));
  return [...kept.map(([name, value]) => ({ name, value })), ...fields];
}
