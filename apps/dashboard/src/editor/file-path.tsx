import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';

/** Where the shown file lies; its tab has room for its name only. */
export function FilePath({ path }: { path: string }) {
  const words = useWords(editorWords);
  const parts = path.split('/').slice(1);
  return (
    <nav aria-label={words.whereItLies}>
      <ol className="file-path">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: folders of the same name may lie in each other
          <li key={index} aria-current={index === parts.length - 1 ? 'page' : undefined}>
            {part}
          </li>
        ))}
      </ol>
    </nav>
  );
}
