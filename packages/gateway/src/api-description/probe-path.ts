import { tagOf } from './tags.ts';

const text = (name: string, description: string, example: string, required = false) => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: 'string' },
  example,
});

/** `GET /probe`, without the responses of errors: for Prometheus, and for people who try a module. */
export const PROBE_PATH = {
  operationId: 'probe',
  tags: [tagOf('locations')],
  summary: 'Measure a target for Prometheus, in the format of blackbox_exporter',
  description:
    'One measurement from every location, as a scrape. Prometheus sends the key as a bearer token. The price is that of the operation that measures the same: echoes, a page, or DNS answers of all locations.',
  parameters: [
    text('target', 'Target, as the prober of the module reads it: a URL, a host, or a name server', 'https://example.org/', true),
    text('module', 'Module, built in or of the operator; `http_2xx` if absent', 'http_2xx'),
    {
      name: 'location',
      in: 'query',
      required: false,
      description: 'Locations, as in `locations` of the operations; all default locations if absent',
      schema: { type: 'array', items: { type: 'string' } },
      example: ['continent:EU'],
    },
    text('location_label', 'Name of the label that holds the location, for targets with a label `location` of their own', 'probe_location'),
    text('hostname', 'Host that http modules ask the address of the target for, also the name in its certificate', 'www.example.org'),
  ],
  responses: {
    200: {
      description: 'Series of every location, in the text format of Prometheus',
      content: {
        'text/plain': {
          schema: { type: 'string' },
          example: '# TYPE probe_success gauge\nprobe_success{location="eu-fra"} 1\n',
        },
      },
    },
  },
};
