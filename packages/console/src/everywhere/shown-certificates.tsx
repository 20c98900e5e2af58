import type { JSX } from 'preact';
import { State } from '../look/state.tsx';
import { Text } from '../report/text.tsx';
import { certificatesOf } from './certificates.ts';
import type { LocationRow } from './rows.ts';

/** Which certificate is shown where, as far as locations have answered. */
export function ShownCertificates({ rows }: { rows: readonly LocationRow[] }): JSX.Element | null {
  const certificates = certificatesOf(rows);
  if (certificates.length === 0) return null;
  return (
    <section class="certificates">
      <h3>{certificates.length === 1 ? 'One certificate was shown' : `${certificates.length} different chains or verdicts`}</h3>
      <ul>
        {certificates.map(({ fingerprint, issuer, validTo, isSound, fault, addresses, cities }) => (
          <li key={`${fingerprint} ${fault} ${cities[0]}`}>
            <State tone={isSound ? 'good' : 'warn'}>{isSound ? 'valid' : 'not valid'}</State> <strong>{cities.length} ×</strong>{' '}
            <Text text={cities.join(', ')} chars={300} /> <span class="muted">at</span> <Text text={addresses.join(', ')} chars={200} />
            <small>
              <Text text={fault === '' ? `Until ${validTo} UTC` : fault} chars={300} />. Issuer: <Text text={issuer} chars={120} />.
              SHA-256: <code>{fingerprint.slice(0, 16)}…</code>
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
