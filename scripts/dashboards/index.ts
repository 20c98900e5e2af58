import { api } from './api.ts';
import { fleet } from './fleet.ts';
import { location } from './location.ts';
import { money } from './money.ts';
import { probe } from './probe.ts';
import { renderer } from './renderer.ts';
import { runbooks } from './runbooks.ts';

/** From the first one an operator looks at to where it leads. */
export const DASHBOARDS = [fleet, location, api, probe, renderer, money, runbooks];
