import type { ComponentChildren, JSX } from 'preact';
import { safeAddress } from '../text/index.ts';
import { goTo } from './router.ts';

interface Props {
  to: string;
  class?: string;
  children: ComponentChildren;
  'aria-current'?: 'page';
  /** The run that a page of ours is to show. */
  run?: string;
  /** Called as the page is left for another one of ours. */
  onFollow?: () => void;
}

/** The one place with an `<a>`: only addresses that `safeAddress` lets through become links, and what is not ours opens apart, without a referrer. */
export function Link({ to, run, onFollow, children, ...rest }: Props): JSX.Element {
  const address = safeAddress(to);
  if (address === undefined) return <span {...rest}>{children}</span>;
  if (!address.startsWith('/'))
    return (
      <a href={address} target="_blank" rel="noopener noreferrer" {...rest}>
        {children}
      </a>
    );
  const isApp = !/^\/(docs|openapi\.json|v2)\b/.test(address);
  const follow = (event: MouseEvent): void => {
    if (!isApp || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onFollow?.();
    goTo(address, { run });
  };
  return (
    <a href={address} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
