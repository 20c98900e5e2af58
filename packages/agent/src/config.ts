import { readCredentials } from '@vedette/bus';
import { ID_PATTERN } from '@vedette/contract';
import { parseEndpoints, readEndpoints } from '@vedette/probes/dns';
import { readCa } from '@vedette/probes/net';
import { parseVpnExits, type VpnExit } from '@vedette/probes/vpn';
import {
  BUS_PROCESS_SETTINGS,
  type BusProcessConfig,
  LOCATION_ID,
  NAME_WITNESSES,
  OPS_SETTINGS,
  readBusProcess,
  Setting,
  SettingsReader,
  VPN_EXITS,
} from '@vedette/process/settings';
import { Type, type Static } from 'typebox';

export const Settings = Type.Object({
  VEDETTE_LOCATION: LOCATION_ID,
  VEDETTE_AGENT_ID: Type.Optional(
    Type.String({
      title: 'an id of at most 64 letters, digits, - and _',
      pattern: ID_PATTERN,
      description: 'Name of this agent; unset = one made of the machine, the location and a number, the same after a restart',
    }),
  ),
  ...BUS_PROCESS_SETTINGS,
  VEDETTE_ICMP_WITNESSES: Type.Optional(
    Setting.text(
      'Addresses of hosts that answer echoes, which prove that this agent can ping; unset = those of VEDETTE_WITNESSES, and where these are unset as well 1.1.1.1, 8.8.8.8, 9.9.9.9 and their IPv6 addresses',
    ),
  ),
  VEDETTE_NAME_WITNESSES: Type.Optional(NAME_WITNESSES),
  VEDETTE_VPN_EXITS: Type.Optional(VPN_EXITS),
  VEDETTE_ICMP_ENGINE: Type.String({
    title: 'kernel or net-ping',
    pattern: '^(kernel|net-ping)$',
    default: 'kernel',
    description:
      "`net-ping`: this engine is tried where the kernel's does not work. The set-up compiles its addon where this is set, which takes a C++ compiler",
  }),
  VEDETTE_OPS_HOST: OPS_SETTINGS.VEDETTE_OPS_HOST,
  VEDETTE_OPS_PORT: Type.Optional(Setting.port("Port of the operators' listener; unset = there is none")),
});

/** The agent's configuration: settings by name, and the files and lists they stand for, read once. */
export interface AgentConfig extends BusProcessConfig {
  settings: Readonly<Static<typeof Settings>>;
  /** The agent only pretends to be at its location (`--simulated`). */
  simulated: boolean;
  exits: VpnExit[];
}

/** Reads the environment and the arguments; throws one `StartError` that names everything wrong with the settings. */
export function readConfig(env: Record<string, string | undefined>, args: readonly string[]): AgentConfig {
  const reader = new SettingsReader(env);
  const bus = readBusProcess(reader, { credentials: readCredentials, resolvers: parseEndpoints, endpoints: readEndpoints, ca: readCa });
  const config = {
    simulated: args.includes('--simulated'),
    ...bus,
    witnesses: { ...bus.witnesses, quic: [] }, // agents speak no QUIC
    exits: reader.value('VEDETTE_VPN_EXITS', (value) => exitsOf(value, env.VEDETTE_LOCATION)) ?? [],
  };
  const settings = reader.finish(Settings);
  return Object.freeze({ settings, ...config });
}

/** An exit that names another location is not ours. */
const exitsOf = (value: string, location: string | undefined): VpnExit[] =>
  parseVpnExits(value).filter((exit) => exit.location === undefined || exit.location === location);
