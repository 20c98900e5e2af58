import { Enum, type ParsedHost, ProbeFailure } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { WantedFamily } from '../../host/judge-host.ts';
import { HttpAsked, REDIRECTS_MAX } from '../detail-schema.ts';
import { connectionField, hostOf } from '../request.ts';

/** Octets of a body that a report shows. */
export const SHOWN_BODY_MAX_BYTES = 10_000;

/** Choices of a request that modules of `/probe` have, too. */
const ASKED = {
  method: Enum(['GET', 'HEAD', 'OPTIONS'], { description: 'Method of the request; default GET' }),
  headers: HttpAsked.headers,
  http_versions: HttpAsked.http_versions,
  max_redirects: Type.Integer({
    minimum: 0,
    maximum: REDIRECTS_MAX,
    description: 'Number of redirects that are followed; by default none in geo-request, and ten in /probe. The last response is reported',
  }),
  family: WantedFamily,
};

/** The choices of a module, which is the operator's: it may send a body. */
export const HttpModuleOptions = Type.Partial(Type.Object({ ...ASKED, method: Enum(['GET', 'HEAD', 'OPTIONS', 'POST']) }), {
  additionalProperties: false,
});
export type HttpModuleOptions = Static<typeof HttpModuleOptions>;

export const HttpOptions = Type.Partial(
  Type.Object({ ...ASKED, show_body: HttpAsked.show_body, show_certificates: HttpAsked.show_certificates }),
  {
    additionalProperties: false,
    title: 'HttpOptions',
    description: 'Choices of the request. All are optional',
    examples: [{ method: 'HEAD', max_redirects: 10 }],
  },
);
export type HttpOptions = Static<typeof HttpOptions>;

/** The part of the agents' job that the options say. */
export const httpAsked = ({ max_redirects = 0, family = 0, ...asked }: HttpOptions | HttpModuleOptions) => ({
  family,
  ...asked,
  ...(max_redirects > 0 && { follow_redirects: true, max_redirects }),
});

/** The host of a Host field among the headers; undefined without one. Throws `SyntaxError` for headers that no agent sends. */
export function namedIn(headers: HttpOptions['headers'] = {}): ParsedHost | undefined {
  const belongs = connectionField(headers);
  if (belongs !== undefined) throw new SyntaxError(`${belongs} belongs to the connection`);
  const hosts = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'host');
  const [[, host] = []] = hosts;
  if (hosts.length > 1) throw new SyntaxError('host is there twice');
  try {
    return host === undefined ? undefined : hostOf(host);
  } catch (error) {
    if (!(error instanceof ProbeFailure)) throw error;
    throw new SyntaxError('host is not a host name', { cause: error });
  }
}
