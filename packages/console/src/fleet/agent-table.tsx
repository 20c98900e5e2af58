import type { Fleet, FleetAgent } from '@vedette/client';
import { Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { State } from '../look/state.tsx';
import { ShortText } from '../report/text.tsx';
import { Members } from '../report/value.tsx';
import { ago, byTone, selfTestOf, slotsOf, stateOfPeer, toneOf } from './states.ts';

const COLUMNS = ['Location', 'Agent', 'State', 'Self-test', 'Slots in use', 'Version', 'Heard'];

/** Shown in columns, or by itself. */
const ELSEWHERE = ['location', 'agent', 'state', 'version', 'silent_ms', 'self_tests', 'outdated'];

/** The agents, those that need attention first, and the locations that have none. */
export function AgentTable({ agents, locations }: Pick<Fleet, 'agents' | 'locations'>): JSX.Element {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const cities = new Map(locations.map(({ id, city_name: city }) => [id, city]));
  const empty = locations.filter(({ id }) => agents.every(({ location }) => location !== id));
  const sorted = [...agents].sort((a, b) => byTone(toneOf(stateOfPeer(a)), toneOf(stateOfPeer(b))));
  const toggle = (id: string) => setOpen(new Set(open.has(id) ? [...open].filter((one) => one !== id) : [...open, id]));
  return (
    <div class="scroll" role="region" aria-label="Agents" tabIndex={0}>
      <table class="agents">
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" class={name === 'Slots in use' || name === 'Heard' ? 'right' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {empty.map(({ id, state }) => (
            <tr key={id}>
              <Place id={id} city={cities.get(id)} />
              <td class="muted">none connected</td>
              <td>
                <State tone="bad">{state}</State>
              </td>
              <td colSpan={4} class="muted">
                Start an agent there, or remove the location with <code>vedette locations remove</code>
              </td>
            </tr>
          ))}
          {sorted.map((agent) => {
            const id = `${agent.location} ${agent.agent}`;
            return <Rows key={id} agent={agent} city={cities.get(agent.location)} isOpen={open.has(id)} toggle={() => toggle(id)} />;
          })}
        </tbody>
      </table>
    </div>
  );
}

const Place = ({ id, city = '' }: { id: string; city: string | undefined }): JSX.Element => (
  <th scope="row">
    <span class="city">
      <ShortText text={city === '' ? id : city} />
    </span>{' '}
    <span class="muted">
      <ShortText text={city === '' ? '' : id} />
    </span>
  </th>
);

interface RowProps {
  agent: FleetAgent;
  city: string | undefined;
  isOpen: boolean;
  toggle: () => void;
}

function Rows({ agent, city, isOpen, toggle }: RowProps): JSX.Element {
  const state = stateOfPeer(agent);
  const tested = selfTestOf(agent);
  const { used, max } = slotsOf([agent]);
  return (
    <Fragment>
      <tr>
        <Place id={agent.location} city={city} />
        <td>
          <button type="button" class="opener" aria-expanded={isOpen} onClick={toggle}>
            <ShortText text={agent.agent} />
          </button>
        </td>
        <td>
          <State tone={toneOf(state)}>{state}</State>
        </td>
        <td>
          <State tone={tested.tone}>{tested.word}</State>
        </td>
        <td class="right">
          {used} of {max}
        </td>
        <td>
          <ShortText text={agent.version} />
        </td>
        <td class="right">{ago(agent.silent_ms / 1_000)} ago</td>
      </tr>
      {isOpen && (
        <tr class="below">
          <td colSpan={COLUMNS.length}>
            <ul class="self-tests" aria-label="Self-test">
              {agent.self_tests.map(({ name, result }) => (
                <li key={name}>
                  <State tone={toneOf(result)}>{`${name} ${result}`}</State>
                </li>
              ))}
            </ul>
            <Members path={['agent']} value={{ ...agent }} except={ELSEWHERE} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}
