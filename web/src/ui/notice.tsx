// A page of one message: what happened, and what to do next.

interface NoticeProps {
  title: string;
  lines: readonly string[];
  buttons: readonly { text: string; act?(): void; href?: string }[];
}

export function Notice({ title, lines, buttons }: NoticeProps) {
  return (
    <div class="notice">
      <h1>{title}</h1>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <div class="row">
        {buttons.map(({ text, act, href }, i) =>
          href ? (
            <a key={text} class={i === 0 ? 'button main' : 'button'} href={href}>
              {text}
            </a>
          ) : (
            <button key={text} type="button" class={i === 0 ? 'main' : ''} onClick={act}>
              {text}
            </button>
          ),
        )}
      </div>
    </div>
  );
}
