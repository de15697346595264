SwaggerUIBundle({
  // Not relative: browsers refuse to fetch it if the address of this page has a password.
  url: location.origin + '/api/v1/openapi.json',
  dom_id: '#description',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  // The interface requires a Content-Type for most changes, also for those without a body.
  // Changes with the session of a browser need its token, which follows the session.
  requestInterceptor: async request => {
    const method = (request.method || 'GET').toUpperCase();
    const headers = request.headers || {};
    const hasType = Object.keys(headers).some(name => name.toLowerCase() === 'content-type');
    if (method !== 'GET' && method !== 'HEAD') {
      const account = await fetch(location.origin + '/api/v1/account', {headers: {'X-Requested-With': 'fetch'}});
      const token = account.headers.get('X-CSRF-Token');
      request.headers = {
        ...headers,
        ...(hasType ? {} : {'Content-Type': 'application/json'}),
        ...(token ? {'X-CSRF-Token': token} : {})
      };
    }
    return request;
  }
});
