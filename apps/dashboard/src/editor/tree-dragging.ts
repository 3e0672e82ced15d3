import { type DragEvent, useRef, useState } from 'react';
import { droppedPath, type TreeFile } from './file-tree.ts';

type Options<Shown> = {
  /** The file of the row that contains an element. */
  fileAt: (element: EventTarget) => Shown | undefined;
  move: ((file: Shown, path: string) => void) | undefined;
};

/** Lets users drag files and folders to another folder. A drop on a file moves them to the folder of that file. */
export function useTreeDragging<Shown extends TreeFile>({ fileAt, move }: Options<Shown>) {
  const dragged = useRef<Shown | undefined>(undefined);
  const [over, setOver] = useState<string | null>(null);
  if (!move) return { over: null, handlers: {} };
  const dropAt = ({ target }: DragEvent) => {
    const onto = fileAt(target);
    const path = dragged.current && onto && droppedPath(dragged.current, onto);
    return path ? { path, onto: onto.path } : null;
  };
  const end = () => {
    dragged.current = undefined;
    setOver(null);
  };
  return {
    /** The row that would take what is dragged. */
    over,
    handlers: {
      onDragStart: ({ target, dataTransfer }: DragEvent) => {
        dragged.current = fileAt(target);
        dataTransfer.effectAllowed = 'move';
        dataTransfer.setData('text/plain', dragged.current?.path ?? '');
      },
      onDragOver: (event: DragEvent) => {
        const drop = dropAt(event);
        setOver(drop?.onto ?? null);
        if (!dragged.current) return;
        // The event must not reach the area around the tree, where files from the user's machine can be dropped.
        event.stopPropagation();
        if (drop) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        const drop = dropAt(event);
        if (!dragged.current) return;
        event.preventDefault();
        event.stopPropagation();
        if (drop) move(dragged.current, drop.path);
        end();
      },
      onDragLeave: () => setOver(null),
      onDragEnd: end,
    },
  };
}
