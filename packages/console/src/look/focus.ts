import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The reference of an element that has the focus as its page appears. */
export function useFocus(): RefObject<HTMLInputElement | null> {
  const element = useRef<HTMLInputElement>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
