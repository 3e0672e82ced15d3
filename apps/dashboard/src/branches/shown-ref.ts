import { useLocation } from '@tanstack/react-router';
import { tokenIn } from '../kit/address.ts';

/** The branch in the URL or, on the history screen, also a tag or commit. Undefined means main. */
export function useShownRef(): string | undefined {
  const { search } = useLocation();
  return tokenIn('ref' in search ? search.ref : undefined) || undefined;
}
