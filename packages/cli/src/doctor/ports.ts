/** The parts of the machine that the doctor reads. */
export interface DoctorPorts {
  /** URL of the gateway's operators' listener. */
  url: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether a gateway has its data where this environment says. */
  hasGatewayData(): boolean;
  fetch: typeof fetch;
  now(): Date;
}

export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'failed';
  /** The finding, and its cure. */
  detail: string;
}

export interface Check {
  name: string;
  run: (ports: DoctorPorts) => Promise<Omit<Finding, 'name'>>;
}
