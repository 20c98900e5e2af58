import { distributed, HttpUrl } from '../kit/index.ts';
import { HeaderStrings, shownUrl } from '@vedette/contract';
import { judgeAccess, readHtmlInfo } from '@vedette/web/access';
import { Attempts } from '@vedette/probes/http';
import { vpnProbe } from '@vedette/probes/vpn';
import { Type } from 'typebox';

/** Whether a URL can be reached through a VPN exit: one location, the first with an exit that works. */
export const vpnTest = distributed({
  name: 'vpn-test',
  subject: 'locations',
  summary: 'Request a URL through a VPN exit',
  description:
    'Resolves the name through the exit by a public resolver, so the answer is that of the exit, not of the location. Block pages, captchas and error pages count as not accessible, and `debug_message` names the kind. Redirects are not followed and count as accessible. A broken exit is skipped, and never replaced by a direct request. If no exit works, the request gets a free 503.',
  cost: 10,
  deadline_ms: 30_000,
  references: ['RFC 1928', 'RFC 9110 §9.3.6'],
  request: Type.Object({ url: HttpUrl() }, { additionalProperties: false }),
  response: Type.Object({ url: Type.String({ description: 'URL from the request, with any password masked' }) }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/' }],
  read: ({ url }, { url: target }) => ({ requestedUrl: shownUrl(url), url: target.url.href, basic: target.basic }),
  needs: { capability: 'vpn', none: 'no_vpn_exit' },
  probe: vpnProbe,
  job: ({ url, basic }) => ({ url, ...(basic !== undefined && { basic }) }),
  entry: {
    schema: Type.Object({
      accessible: Type.Boolean({ description: 'A page arrived that is not a block page, captcha or error' }),
      status_code: Type.Integer({ description: 'HTTP status; 0 if no response arrived' }),
      debug_message: Type.String({
        description: 'Reason why the page is not accessible, or the problem with its certificate; empty if there is neither',
      }),
      attempts: Type.Optional(Attempts),
      response_headers: HeaderStrings,
      html_info: Type.Object(
        {
          title: Type.String({ description: 'Content of the title element' }),
          description: Type.String({ description: 'Content of `meta` description' }),
        },
        { description: 'Metadata of the page; empty strings for missing values' },
      ),
    }),
    of(_query, { result, failure }) {
      const { status_code, status_message, response_headers, html, error_message, attempts } = result;
      const answered = status_code > 0;
      const verdict = answered
        ? judgeAccess({ status: status_code, statusMessage: status_message, headers: response_headers, html })
        : UNANSWERED;
      return {
        accessible: verdict.accessible && failure === undefined,
        status_code,
        debug_message: [failure?.error, verdict.debug_message, answered && error_message].filter(Boolean).join('; '),
        ...(attempts && { attempts }),
        response_headers,
        html_info: readHtmlInfo(html),
      };
    },
  },
  report: ({ requestedUrl }) => ({ url: requestedUrl }),
});

const UNANSWERED = { accessible: false, debug_message: '' };
