import type { Engine, EngineList, Feed, FeedList, Fleet, FleetRenderer } from '@vedette/client';
import type { JSX } from 'preact';
import { useAnswers } from '../api/answers.ts';
import { Loading, Problem } from '../look/problem.tsx';
import { Prose } from '../look/prose.tsx';
import { State } from '../look/state.tsx';
import { Scalar } from '../report/scalar.tsx';
import type { Members } from '../report/shape.ts';
import { DataTable } from '../report/table.tsx';
import { Members as Below } from '../report/value.tsx';
import { AgentTable } from './agent-table.tsx';
import { attentionOf, byTone, slotsOf, stateOfEngine, stateOfFeed, stateOfPeer, toneOf } from './states.ts';

const PATHS = ['/v2/fleet', '/v2/feeds', '/v2/engines'];
const EVERY_MS = 15_000;

/** Locations, agents, renderers, feeds and engines, as the gateway that answers sees them. */
export function FleetPage(): JSX.Element {
  const { values, problem, reload } = useAnswers<[Fleet, FeedList, EngineList]>(PATHS, EVERY_MS);
  return (
    <main class="fleet">
      <h1>Fleet</h1>
      {problem && <Problem error={problem} retry={() => void reload()} />}
      {values === undefined && !problem && <Loading />}
      {values && <Shown fleet={values[0]} feeds={values[1].feeds} engines={values[2].engines} />}
    </main>
  );
}

interface ShownProps {
  fleet: Fleet;
  feeds: readonly Feed[];
  engines: readonly Engine[];
}

function Shown({ fleet, feeds, engines }: ShownProps): JSX.Element {
  const { locations, agents, renderers } = fleet;
  const { used, max } = slotsOf(agents.filter(({ state }) => state !== 'gone'));
  const ready = locations.filter(({ state }) => state === 'ready').length;
  return (
    <>
      <section class="part">
        <p class="summary">
          {ready} of {locations.length} locations ready, {agents.length} {agents.length === 1 ? 'agent' : 'agents'}, {used} of {max} slots
          in use.
        </p>
        <Attention fleet={fleet} />
      </section>
      <section class="part">
        <h2>Locations and agents</h2>
        {locations.length + agents.length === 0 ? (
          <p>
            <Prose text="No location is known. `vedette fleet add-location <id>` prepares one, and prints what its agent needs." />
          </p>
        ) : (
          <AgentTable agents={agents} locations={locations} />
        )}
      </section>
      <section class="part">
        <h2>Renderers</h2>
        {renderers.length === 0 ? (
          <p class="muted">No renderer is connected. Screenshots, PDFs and http-tracker need one.</p>
        ) : (
          <Table name="renderers" rows={renderers.map(rendererRow)} />
        )}
      </section>
      <section class="part">
        <h2>Feeds</h2>
        {feeds.length === 0 ? <p class="muted">No feed is configured.</p> : <Table name="feeds" rows={feeds.map(feedRow)} />}
      </section>
      <section class="part">
        <h2>Engines</h2>
        {engines.length === 0 ? <p class="muted">No engine is configured.</p> : <Table name="engines" rows={engines.map(engineRow)} />}
      </section>
    </>
  );
}

function Attention({ fleet }: { fleet: Fleet }): JSX.Element {
  const items = attentionOf(fleet);
  if (items.length === 0)
    return (
      <p>
        <State tone="good">Nothing needs attention</State>
      </p>
    );
  return (
    <ul class="attention">
      {items.map(({ tone, word, text }) => (
        <li key={`${word} ${text}`}>
          <State tone={tone}>{word}</State> <Scalar path={[]} value={text} />
        </li>
      ))}
    </ul>
  );
}

type Row = Members & { state: string };

const rendererRow = (row: FleetRenderer): Row => ({
  state: stateOfPeer(row),
  renderer: row.renderer,
  version: row.version,
  browser: row.browser,
  slots_in_use: row.slots_used,
  slots: row.slots_max,
  heard_s: Math.round(row.silent_ms / 1_000),
  problem: row.problem,
});

const feedRow = (feed: Feed): Row => {
  const state = stateOfFeed(feed);
  const { name, rows, age_seconds: age, every_hours, origin, problem, note, tells } = feed;
  return {
    state,
    feed: name,
    entries: rows,
    // Without data it is how long it has been missed.
    age_hours: origin === 'none' ? '' : Math.round(age / 360) / 10,
    every_hours,
    problem: problem === '' && state === 'off' ? note : problem,
    tells,
  };
};

const engineRow = (engine: Engine): Row => ({
  state: stateOfEngine(engine),
  engine: engine.name,
  id: engine.id,
  subject: engine.subject,
  source: engine.source,
  questions_per_second: engine.per_s === 0 ? '' : engine.per_s,
  at_once: engine.burst === 0 ? '' : engine.burst,
  problem: engine.problem,
});

const Cell = ({ path, value }: { path: readonly string[]; value: unknown }): JSX.Element =>
  path.at(-1) === 'state' && typeof value === 'string' ? <State tone={toneOf(value)}>{value}</State> : <Scalar path={path} value={value} />;

/** A table whose first rows need attention. */
const Table = ({ name, rows }: { name: string; rows: readonly Row[] }): JSX.Element => (
  <DataTable path={[name]} rows={[...rows].sort((a, b) => byTone(toneOf(a.state), toneOf(b.state)))} cell={Cell} below={Below} />
);
