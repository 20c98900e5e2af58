import { collectNodeMetrics } from '@vedette/process/node-metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type RendererMetrics = ReturnType<typeof createMetrics>;

const BUCKETS_S = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40, 60];

/** The renderer's metrics. Loaded only where there is a listener to read them. */
export function createMetrics() {
  const registry = new Registry();
  collectNodeMetrics(registry);
  const registers = [registry];
  return {
    registry,
    info: new Gauge({
      name: 'vedette_renderer_info',
      help: 'What this renderer is; always 1',
      labelNames: ['renderer', 'version', 'sandbox', 'node'],
      registers,
    }),
    renders: new Counter({ name: 'vedette_renderer_renders_total', help: 'Jobs answered', labelNames: ['kind', 'reason'], registers }),
    duration: new Histogram({
      name: 'vedette_renderer_render_duration_seconds',
      help: 'From the start of a job to its end',
      labelNames: ['kind'],
      buckets: BUCKETS_S,
      registers,
    }),
    refused: new Counter({ name: 'vedette_renderer_refused_total', help: 'Jobs and frames refused', labelNames: ['reason'], registers }),
    cancelled: new Counter({
      name: 'vedette_renderer_cancelled_total',
      help: 'Jobs at work for which nobody waited any more',
      labelNames: ['reason'],
      registers,
    }),
    retried: new Counter({
      name: 'vedette_renderer_retried_total',
      help: 'Jobs that were tried again since the browser failed',
      labelNames: ['kind'],
      registers,
    }),
    launched: new Histogram({
      name: 'vedette_renderer_browser_launch_duration_seconds',
      help: 'From wanting a browser to having it; its count is how many were started',
      buckets: BUCKETS_S,
      registers,
    }),
    ended: new Counter({
      name: 'vedette_renderer_browsers_ended_total',
      help: 'Browsers that ended: replaced after so many jobs or for their memory, or gone by themselves',
      labelNames: ['reason'],
      registers,
    }),
    denied: new Counter({
      name: 'vedette_renderer_denied_requests_total',
      help: "Requests of the browser's own, beside those of pages, that were kept in",
      registers,
    }),
    slots: new Gauge({ name: 'vedette_renderer_slots', help: 'Slots for jobs', labelNames: ['state'], registers }),
    browserUp: new Gauge({ name: 'vedette_renderer_browser_up', help: '1 while a browser is there', registers }),
    browserBytes: new Gauge({
      name: 'vedette_renderer_browser_memory_bytes',
      help: 'Memory of all processes of the browser, without files, when it last had a job',
      registers,
    }),
    browserMade: new Gauge({
      name: 'vedette_renderer_browser_made_timestamp_seconds',
      help: "When the browser's package was made",
      registers,
    }),
    natsConnected: new Gauge({ name: 'vedette_renderer_nats_connected', help: '1 while the bus answers', registers }),
    pageTestSuccess: new Gauge({
      name: 'vedette_renderer_page_test_success',
      help: '1 while pages can be rendered: one was lately, and there is room on the disk',
      registers,
    }),
    selfTestSuccess: new Gauge({ name: 'vedette_renderer_selftest_success', help: '1 while the witnesses answer', registers }),
  };
}
