import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadLocations } from './api/locations.ts';
import { operationOf } from './api/operations.ts';
import { creditsLeft, key, signOut } from './api/session.ts';
import { AskPage } from './ask/ask-page.tsx';
import { OperationPage } from './ask/operation-page.tsx';
import { FleetPage } from './fleet/fleet-page.tsx';
import { IndicatorMenu } from './indicators/menu.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { Link } from './look/link.tsx';
import { route } from './look/router.ts';
import { SignIn } from './look/sign-in.tsx';
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
  const isSignedIn = key.value !== '';
  useEffect(() => {
    // A key that may not list them has no map, and all else.
    if (isSignedIn) loadLocations().catch(() => undefined);
  }, [isSignedIn]);
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
  if (!isSignedIn) return <SignIn />;
  const found = PAGES.map((page) => ({ page, match: page.path.exec(path) })).find(({ match }) => match !== null);
  return (
    <>
      <Header current={found?.page} />
      {found?.match ? found.page.show({ match: found.match, search }) : <Missing />}
      <IndicatorMenu />
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
      <button type="button" class="small" onClick={() => signOut()}>
        Sign out
      </button>
    </header>
  );
}
