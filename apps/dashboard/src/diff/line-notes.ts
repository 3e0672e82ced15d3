import type { ReactNode } from 'react';
import type { Side } from './diff-rows.ts';

/** How a reader chooses lines of a diff to say something about them. */
export type Choosing = {
  label(side: Side, line: number): string;
  /** Whether a comment can be about this side. */
  takes(side: Side): boolean;
  isChosen(side: Side, line: number): boolean;
  /** The first line of a range. */
  begin(side: Side, line: number): void;
  /** The other end of a range. */
  extend(side: Side, line: number): void;
  /** The end of a drag. Opens the form if a range was chosen. */
  finish(): void;
  /** Opens the form for the range that ends here. `extendsRange` makes this line the end of the chosen range. */
  open(side: Side, line: number, extendsRange: boolean): void;
};

export type LineNotes = {
  /** What is shown below a line. Null if there is nothing. */
  below(side: Side, line: number): ReactNode;
  /** Absent if the reader cannot comment. */
  choosing?: Choosing | undefined;
};
