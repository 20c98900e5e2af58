import { beforeAll, expect, it } from 'vitest';
import { DASHBOARDS, panelsOf } from '../dashboards.ts';
import { lab, openLab } from './opened.ts';
import { CORE_ADDRESS, REGIONS } from './plan.ts';
import { describeLab } from './preflight.ts';
import { Prometheus } from './prometheus.ts';
import { API_KEY, RENDERER_OPS_PORT, System } from './system.ts';

const EVERY_S = 1;
const VICTIM = 'us-ash';

let system: System;
let prometheus: Prometheus;

describeLab('a Prometheus that scrapes the fleet', () => {
  openLab();
  beforeAll(async () => {
    system = await System.start(lab, {
      gatewayEnv: {
        VEDETTE_ENGINES_FILE: `${import.meta.dirname}/one-engine.json`,
        VEDETTE_FEEDS_FILE: `${import.meta.dirname}/../feeds/not-fetched.json`,
      },
    });
    const [, started] = await Promise.all([
      system.startRenderer(),
      Prometheus.start(lab, {
        targets: {
          gateways: ['127.0.0.1:9080'],
          renderers: [`127.0.0.1:${RENDERER_OPS_PORT}`],
          'probe-ping': ['www.lab-good.com'],
          'probe-http': ['https://www.lab-good.com/'],
        },
        gateway: `${CORE_ADDRESS}:8080`,
        key: API_KEY,
        every_s: EVERY_S,
      }),
    ]);
    prometheus = started;
  });

  it('has all of its targets up', async () => {
    const targets = await prometheus.until(
      () => prometheus.targets(),
      (seen) => seen.every(({ health }) => health === 'up'),
    );
    expect(targets.map(({ job }) => job).toSorted()).toEqual([
      'probe-http',
      'probe-ping',
      'prometheus',
      'vedette-gateway',
      'vedette-renderer',
    ]);
  });
});
