import type { Place } from '../api/project.ts';

type Carry = (to: Place) => Promise<void>;

/**
 * Moves the drafts of the open workbench to another branch. The function is stored here because the branch switcher,
 * which calls it, is outside the workbench.
 */
let carry: Carry | null = null;

/** Moves all unsaved text to another branch, whose workbench opens next. */
export const carryOpenDrafts = async (to: Place): Promise<void> => carry?.(to);

/** Sets what `carryOpenDrafts` does while a workbench is open. Returns a function that unsets it. */
export function onCarry(does: Carry): () => void {
  carry = does;
  return () => {
    carry = null;
  };
}
