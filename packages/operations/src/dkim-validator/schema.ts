import { Issues } from '../kit/index.ts';
import { DKIM_ISSUES } from '@vedette/mail/dkim';
import { Type } from 'typebox';

export const DkimReport = Type.Object({
  selector: Type.String({
    description: 'Selector from the request or found by search; `*` if a wildcard answers for every selector; empty if none was found',
  }),
  host: Type.String({ description: 'Host from the request, in lower case and A-labels' }),
  dkim_host: Type.String({ description: 'Name of the DKIM record: selector._domainkey.domain' }),
  cname_target: Type.String({ description: 'Alias target (CNAME) of `dkim_host`; empty if `dkim_host` is not an alias' }),
  has_dkim_record: Type.Boolean({
    description: 'A DKIM key record exists at `dkim_host`. With RECORD_NOT_ANSWERED, false means unknown',
  }),
  dkim_record: Type.String({ description: 'DKIM record as published; empty if absent' }),
  dkim_records_count: Type.Integer({ description: 'Number of DKIM records; one is expected' }),
  version: Type.String({ description: 'Version of the record (`v=`), DKIM1 by default' }),
  key_type: Type.String({ description: 'Key type (`k=`), rsa by default' }),
  key_bits: Type.Integer({ description: 'Key size in bits: the RSA modulus, or 256 for Ed25519; 0 if the key cannot be read' }),
  issues_found: Issues('DkimIssue', DKIM_ISSUES),
  valid: Type.Boolean({ description: 'Exactly one key exists and verifiers can use it: there is no issue of type error' }),
  selectors_tried: Type.Integer({ description: 'Number of known selectors that were tried; 0 if the request names one' }),
  search_pruned: Type.Boolean({
    description: 'Only the most common selectors were tried, because the domain does not exist (RFC 8020)',
  }),
  dns_error: Type.String({
    description: 'DNS query that got no answer, so a key may be missing; empty if all were answered',
  }),
});
