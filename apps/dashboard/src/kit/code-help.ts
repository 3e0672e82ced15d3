import type { Extension } from '@codemirror/state';
import { createContext } from 'react';

/** Returns the extension that another part of the page adds to the editor of a file. */
export type CodeHelp = (path: string) => Extension | null;

/** What language servers add to editors. Null if there is none. */
export const CodeHelpContext = createContext<CodeHelp | null>(null);

/** Marks in editors for comments about lines. Null if there are none. */
export const CodeNotesContext = createContext<CodeHelp | null>(null);
