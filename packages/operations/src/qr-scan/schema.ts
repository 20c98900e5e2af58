import { Enum, text } from '@vedette/contract';
import { PictureFacts } from '@vedette/message/report';
import { Type } from 'typebox';
import { DomainParts } from '../shared/pages/url-parts.ts';

const facts = Type.Omit(PictureFacts, ['found_urls', 'is_decoded']).properties;

export const QrScanReport = Type.Object({
  codes_found: Type.Integer({ description: 'Number of codes that were read' }),
  ...facts,
  urls: Type.Array(
    Type.Object({
      ...PictureFacts.properties.found_urls.items.properties,
      domain_parts: DomainParts,
      is_shortener: Enum(['yes', 'no', 'unknown'], {
        description: 'The host redirects short addresses to other sites (`url-shorteners`); unknown while that list is not loaded',
      }),
    }),
    { description: 'Web addresses that the codes name, each once' },
  ),
  error: text('Reason why the picture of `image_url` was not read; empty if it was'),
});
