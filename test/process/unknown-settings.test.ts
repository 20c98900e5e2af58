import { unknownSettings } from '@vedette/process/unknown-settings';
import { expect, it } from 'vitest';

it('names settings that are none, with the one that was probably meant', () => {
  expect(
    unknownSettings({
      PATH: '/bin',
      VEDETTE_PRT: '1',
      VEDETTE_PORT: '8080',
      vedette_location: 'eu-fra',
      VEDETTE_COLOUR: 'red',
      VEDETTE_LOCATION: 'eu-fra',
      // The command's own: docs/command-line.md.
      VEDETTE_URL: 'https://vedette.example.org',
      VEDETTE_API_KEY: 'key',
    }),
  ).toEqual([
    'VEDETTE_COLOUR is no setting: docs/settings.md has them all',
    'VEDETTE_PRT is no setting: VEDETTE_PORT was probably meant',
    'vedette_location is no setting: VEDETTE_LOCATION was probably meant',
  ]);
});
