import { distributed, HeaderStrings, HttpUrl, shownUrl } from '@vedette/contract';
import { judgeAccess, readHtmlInfo } from '@vedette/web/access';
import { vpnProbe } from '@vedette/probes/vpn';
import { Type } from 'typebox';

/** Whether a URL can be reached through a VPN exit: one location, the first with an exit that works. */
export const vpnTest = distributed({
  name: 'vpn-test',
  summary: 'Request a URL through a VPN exit',
  description:
    'The name is resolved through the exit, by a public resolver, so that the answer is that of the exit and not of the location. Blocks, captchas and error pages count as not accessible, and `debug_message` says which it was. No redirect is followed; a redirect counts as accessible. An exit that does not work is passed over, and never replaced by a direct request; where none works that is a 503, and free.',
  cost: 10,
  deadline_ms: 30_000,
  references: ['RFC 1928', 'RFC 9110 §9.3.6'],
  request: Type.Object({ url: HttpUrl() }, { additionalProperties: false }),
  response: Type.Object({ url: Type.String({ description: 'As asked for, a password in it masked' }) }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/' }],
  read: ({ url }, { url: target }) => ({ asked: shownUrl(url), url: target.url.href, basic: target.basic }),
  needs: { capability: 'vpn', none: 'no_vpn_exit' },
  probe: vpnProbe,
  job: ({ url, basic }) => ({ url, ...(basic !== undefined && { basic }) }),
  entry: {
    schema: Type.Object({
      accessible: Type.Boolean({ description: 'A page came back that is neither a block, a captcha nor an error' }),
      status_code: Type.Integer({ description: '0 when no answer came' }),
      debug_message: Type.String({
        description: 'Why it is not accessible, or what is wrong with its certificate; empty when there is nothing to report',
      }),
      response_headers: HeaderStrings,
      html_info: Type.Object(
        {
          title: Type.String({ description: 'The title element' }),
          description: Type.String({ description: 'The description of its meta element' }),
        },
        { description: 'What the page says of itself; empty where it says nothing' },
      ),
    }),
    of(_query, { result, failure }) {
      const { status_code, status_message, response_headers, html, error_message } = result;
      const answered = status_code > 0;
      const verdict = answered
        ? judgeAccess({ status: status_code, statusMessage: status_message, headers: response_headers, html })
        : UNANSWERED;
      return {
        accessible: verdict.accessible && failure === undefined,
        status_code,
        debug_message: [failure?.error, verdict.debug_message, answered && error_message].filter(Boolean).join('; '),
        response_headers,
        html_info: readHtmlInfo(html),
      };
    },
  },
  report: ({ asked }) => ({ url: asked }),
});

const UNANSWERED = { accessible: false, debug_message: '' };
