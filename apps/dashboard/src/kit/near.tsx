import { Box, type BoxProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';

/** How far beyond the window something counts as near, in pixels. */
const margin = 800;

type Tell = (isNear: boolean) => void;
const watched = new Map<Element, Tell>();
let observer: IntersectionObserver | undefined;

/** Watches an element. One observer is used for all elements, because a page may have thousands of them. */
function watch(element: Element, tell: Tell): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
    },
    { rootMargin: `${margin}px 0px` },
  );
  watched.set(element, tell);
  observer.observe(element);
  return () => {
    watched.delete(element);
    observer?.unobserve(element);
  };
}

/**
 * Whether an element must stay in the page when the user scrolls away, because it contains the focus or an open form.
 */
const holdsWork = (element: Element): boolean =>
  element.contains(document.activeElement) || element.querySelector('form') !== null;

type Props = BoxProps & {
  /** The height of the content before it was first shown, in pixels. */
  estimate: number;
  /** Whether the content is rendered at the first paint. */
  startsNear?: boolean;
  id?: string;
  /** The role of the element while it has content. */
  role?: string;
  children: () => ReactNode;
};

/** Content that is in the page only while the user is near it. Otherwise an empty element keeps its place. */
export function Near({ estimate, startsNear = false, role, children, ...box }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const height = useRef<number | null>(null);
  const [isNear, setNear] = useState(startsNear);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    return watch(current, (isNearNow) => {
      if (!isNearNow && holdsWork(current)) return;
      if (!isNearNow && current.childElementCount > 0) height.current = current.offsetHeight;
      setNear(isNearNow);
    });
  }, []);
  return (
    <Box ref={element} {...box} {...(isNear ? role && { role } : { h: height.current ?? estimate })}>
      {isNear && children()}
    </Box>
  );
}
