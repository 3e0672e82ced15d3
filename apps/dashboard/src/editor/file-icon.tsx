import {
  IconBraces,
  IconBrandCss3,
  IconBrandHtml5,
  IconBrandJavascript,
  IconBrandTypescript,
  IconFile,
  IconFileText,
  IconFileZip,
  IconFolder,
  IconFolderOpen,
  IconLock,
  IconMarkdown,
  IconPhoto,
  IconSettings,
  IconTerminal2,
} from '@tabler/icons-react';

type Look = { icon: typeof IconFile; color: string };

const looks: [pattern: RegExp, look: Look][] = [
  [/(^|[-.])lock(\.\w+)?$/, { icon: IconLock, color: 'var(--mantine-color-dimmed)' }],
  [/\.(html?|vue|svelte|astro)$/, { icon: IconBrandHtml5, color: 'var(--code-number)' }],
  [/\.(css|scss|sass|less)$/, { icon: IconBrandCss3, color: 'var(--code-function)' }],
  [/\.[cm]?jsx?$/, { icon: IconBrandJavascript, color: 'var(--code-number)' }],
  [/\.[cm]?tsx?$/, { icon: IconBrandTypescript, color: 'var(--code-function)' }],
  [/\.jsonc?$/, { icon: IconBraces, color: 'var(--code-string)' }],
  [/\.(md|mdx|markdown)$/, { icon: IconMarkdown, color: 'var(--code-property)' }],
  [/\.(png|jpe?g|gif|webp|avif|svg|ico|bmp)$/, { icon: IconPhoto, color: 'var(--code-type)' }],
  [
    /\.(sh|bash|zsh|fish|ps1|bat)$|^(dockerfile|makefile|procfile)$/,
    { icon: IconTerminal2, color: 'var(--code-string)' },
  ],
  [/\.(zip|t?gz|tar|br|7z|rar)$/, { icon: IconFileZip, color: 'var(--mantine-color-dimmed)' }],
  [/\.(ya?ml|toml|ini|conf|env)$|^\./, { icon: IconSettings, color: 'var(--mantine-color-dimmed)' }],
  [/\.(txt|log|csv|tsv|rst|adoc)$/, { icon: IconFileText, color: 'var(--mantine-color-dimmed)' }],
];
const plain: Look = { icon: IconFile, color: 'var(--mantine-color-dimmed)' };

/**
 * An icon for the type of a file. It stands next to the name, which contains the same information, and only helps to
 * find it.
 */
export function FileIcon({ name, size = 15 }: { name: string; size?: number }) {
  const small = name.toLowerCase();
  const { icon: Icon, color } = looks.find(([pattern]) => pattern.test(small))?.[1] ?? plain;
  return <Icon size={size} stroke={1.6} color={color} aria-hidden style={{ flexShrink: 0 }} />;
}

export function FolderIcon({ isOpen }: { isOpen: boolean }) {
  const Icon = isOpen ? IconFolderOpen : IconFolder;
  return <Icon size={15} stroke={1.6} aria-hidden style={{ flexShrink: 0 }} />;
}
