import { Enum, flag, text } from '@vedette/contract';
import { PictureFacts } from '@vedette/message/report';
import { Type } from 'typebox';
import { DomainParts } from '../shared/pages/url-parts.ts';

const facts = Type.Omit(PictureFacts, ['found_urls', 'is_decoded']).properties;

export const QrScanReport = Type.Object({
  codes_found: Type.Integer({ description: 'Number of codes that were read' }),
  ...facts,
  urls: Type.Array(
    Type.Object({
      url: text('URL, as browsers write it'),
      unwrapped_url: text('Target of a link that a mail gateway or a tracker wrapped; empty for others'),
      host: text('Host of the unwrapped URL in A-labels, or an address'),
      domain_parts: DomainParts,
      is_shortener: Enum(['yes', 'no', 'unknown'], {
        description: 'The host redirects short addresses to other sites (`url-shorteners`); unknown while that list is not loaded',
      }),
      is_ip_host: flag('The host is an address'),
      is_defanged: flag('The text breaks up names or schemes, as `hxxps://evil[.]example`'),
    }),
    { description: 'Web addresses that the codes name, each once' },
  ),
  error: text('Reason why the picture of `image_url` was not read; empty if it was'),
});
