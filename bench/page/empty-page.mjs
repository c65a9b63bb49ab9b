// The least that a page of React can be: a heading, and what was heard last.
import { createElement, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

function Empty() {
  const [text, setText] = useState('-');
  useEffect(() => {
    if (new URLSearchParams(location.search).get('live') === null) return;
    new EventSource('/events').onmessage = ({ data }) => setText(data);
  }, []);
  return createElement('main', null, createElement('h1', null, 'Ready'), createElement('p', null, text));
}

createRoot(document.querySelector('#root')).render(createElement(Empty));
