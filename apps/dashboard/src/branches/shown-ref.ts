import { useLocation } from '@tanstack/react-router';
import { tokenIn } from '../kit/address.ts';

/** The branch in the URL, or the tag or commit of a history. Undefined is main. */
export function useShownRef(): string | undefined {
  const { search } = useLocation();
  return tokenIn('ref' in search ? search.ref : undefined) || undefined;
}
