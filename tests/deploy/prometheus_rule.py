"""`python -m tests.deploy.prometheus_rule`: write the alerts as a resource of the Prometheus Operator."""

from __future__ import annotations

from tests.deploy.samples import DEPLOY

TARGET = DEPLOY / "kubernetes" / "alerts.yaml"
HEAD = """\
# Generated from deploy/prometheus/alerts.yaml by: python -m tests.deploy.prometheus_rule
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: azul-games
spec:
"""


def prometheus_rule() -> str:
    """Return the content of the resource."""
    lines = (DEPLOY / "prometheus" / "alerts.yaml").read_text("utf-8").splitlines()
    return HEAD + "".join(f"  {line}".rstrip() + "\n" for line in lines[lines.index("groups:") :])


if __name__ == "__main__":
    TARGET.write_text(prometheus_rule(), "utf-8")
