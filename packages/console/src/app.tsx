import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { loadLocations } from './api/locations.ts';
import { operationOf } from './api/operations.ts';
import { endSession } from './api/people.ts';
import { loadPermissions } from './api/permissions.ts';
import { creditsLeft, isSignedIn, isSittingKept, person, reader, sitting } from './api/session.ts';
import { AskPage } from './ask/ask-page.tsx';
import { OperationPage } from './ask/operation-page.tsx';
import { FleetPage } from './fleet/fleet-page.tsx';
import { IndicatorMenu } from './indicators/menu.tsx';
import { InvestigatePage } from './investigate/investigate-page.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { Link } from './look/link.tsx';
import { route } from './look/router.ts';
import { SignIn } from './look/sign-in.tsx';
import { Text } from './report/text.tsx';
import { withoutUser } from './text/index.ts';

/** A page: where it is, its name in the navigation, and what it shows. */
interface Page {
  path: RegExp;
  title: string;
  /** Where the navigation leads; none for pages that others lead to. */
  to?: string;
  show: (route: { match: RegExpExecArray; search: string }) => JSX.Element;
}

/** The first one whose path fits is shown. Their paths are listed for the gateway in files/index.ts. */
const PAGES: readonly Page[] = [
  { path: /^\/$/, title: 'Ask', to: '/', show: () => <AskPage /> },
  { path: /^\/investigate$/, title: 'Investigate', to: '/investigate', show: () => <InvestigatePage /> },
  {
    path: /^\/ask\/([\w-]+)$/,
    title: 'Ask',
    show: ({ match, search }) => {
      const operation = operationOf(match[1]!);
      return operation === undefined ? <Missing /> : <OperationPage operation={operation} search={search} />;
    },
  },
  { path: /^\/fleet$/, title: 'Fleet', to: '/fleet', show: () => <FleetPage /> },
  { path: /^\/keys$/, title: 'Keys', to: '/keys', show: ({ search }) => <KeysPage search={search} /> },
];

/** Titles of pages that have no subject. */
const PAGE_TITLES: Readonly<Record<string, string>> = { '/fleet': 'Fleet', '/keys': 'Keys and usage' };

const Missing = (): JSX.Element => (
  <main>
    <h1>There is no such page</h1>
    <p>
      <Link to="/">Ask something</Link>
    </p>
  </main>
);

export function App(): JSX.Element {
  const { path, search } = route.value;
  const isIn = isSignedIn.value;
  useEffect(() => {
    if (!isIn) return;
    void loadPermissions();
    // A key that may not list them has no map, and all else.
    loadLocations().catch(() => undefined);
  }, [isIn, reader.value, person.value?.role]);
  useEffect(() => {
    const operation = /^\/ask\/([\w-]+)/.exec(path)?.[1];
    const host = new URLSearchParams(search);
    document.title = [
      PAGE_TITLES[path],
      operation && `${operation} ${withoutUser(host.get('host') ?? host.get('url') ?? host.get('ip') ?? '')}`.trim(),
      'Vedette',
    ]
      .filter(Boolean)
      .join(' · ');
  }, [path, search]);
  // Where the gateway takes the key no more, what was typed stays until there is a good one.
  const isKept = useRef(false);
  isKept.current = isIn || (isKept.current && isSittingKept.value);
  const found = PAGES.map((page) => ({ page, match: page.path.exec(path) })).find(({ match }) => match !== null);
  return (
    <>
      {!isIn && <SignIn hasSitting={isKept.current} />}
      {isKept.current && (
        <div key={sitting.value} class="pages" hidden={!isIn}>
          <Header current={found?.page} />
          {found?.match ? found.page.show({ match: found.match, search }) : <Missing />}
          <IndicatorMenu />
        </div>
      )}
    </>
  );
}

function Header({ current }: { current: Page | undefined }): JSX.Element {
  return (
    <header class="top">
      <nav aria-label="Pages">
        <strong class="brand">Vedette</strong>
        {PAGES.map(
          ({ title, to }) =>
            to !== undefined && (
              <Link key={to} to={to} {...(current?.to === to && { 'aria-current': 'page' as const })}>
                {title}
              </Link>
            ),
        )}
        <Link to="/docs">API</Link>
      </nav>
      <p class="credits">
        {creditsLeft.value !== undefined && <span class="number">{creditsLeft.value.toLocaleString('en-GB')} credits left</span>}
      </p>
      {person.value !== null && (
        <p class="person" title={`Signed in with the role ${person.value.role}`}>
          <Text text={person.value.name} /> · {person.value.role}
        </p>
      )}
      <button type="button" class="small" onClick={() => void endSession()}>
        Sign out
      </button>
    </header>
  );
}
