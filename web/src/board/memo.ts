// A component that is drawn again only when one of its props is another value.

import { Component, type ComponentType, createElement, type FunctionComponent } from 'preact';

export function memo<P extends object>(inner: FunctionComponent<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const now = this.props as Record<string, unknown>;
      const then = next as Record<string, unknown>;
      return Object.keys({ ...now, ...then }).some((key) => now[key] !== then[key]);
    }
    override render() {
      return createElement(inner, this.props as P);
    }
  };
}
