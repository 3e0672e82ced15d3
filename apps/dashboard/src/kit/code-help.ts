import type { Extension } from '@codemirror/state';
import { createContext } from 'react';

/** What another part of the page adds to the editor of a file. */
export type CodeHelp = (path: string) => Extension | null;

/** What language servers add. Null without one. */
export const CodeHelpContext = createContext<CodeHelp | null>(null);

/** Marks of what people say about lines. Null without them. */
export const CodeNotesContext = createContext<CodeHelp | null>(null);
