// The package has no types of its own.
declare module 'oidc-provider' {
  export default class Provider {
    constructor(issuer: string, configuration: object);
    listen(port: number, host: string, listening: () => void): void;
  }
}
