import type { Dialler, Gate, Pass } from '@vedette/contract';

const NOTHING: Pass = () => {};

/** Whatever leaves for one request leaves here. */
export class Outlet implements Gate {
  /** Whether anything has left: from then on the request is to be paid for, whether or not its client stays. */
  departed = false;

  question(): Pass {
    this.departed = true;
    return NOTHING;
  }

  connection(): Pass {
    this.departed = true;
    return NOTHING;
  }

  /** Jobs are to be published. */
  jobs(): void {
    this.departed = true;
  }
}

/** A dialler whose connections pass the gate. */
export const gatedDialler = (dialler: Dialler, gate: Gate): Dialler => ({
  policy: dialler.policy,
  operatorTcp: dialler.operatorTcp,
  async tcp(options) {
    const pass = await gate.connection(options.address, options.signal);
    try {
      const socket = await dialler.tcp(options);
      socket.once('close', pass);
      return socket;
    } catch (error) {
      pass();
      throw error;
    }
  },
});
